// The end of the display server before that of the window, as at logout.
#pragma once
#include <functional>

namespace cellscope::gui {

// Xlib ends the program when its connection breaks; `last` is called before, on the window's
// thread, and must not draw. Empty: nothing is called any more. Does nothing without Xlib.
void onDisplayLoss(std::function<void()> last);

}  // namespace cellscope::gui
