// The end of the display server, or of the window in it, that comes from outside: at logout, or
// when another program destroys the window.
#pragma once
#include <functional>
#include <string>

namespace cellscope::gui {

// Xlib ends the program when its connection breaks, and when a request fails, as all do that draw
// into a window that is gone. `last` is called before, on the window's thread, with what happened
// as in "stopped by ..."; it must not draw. Empty: nothing is called any more. Does nothing without
// Xlib.
void onDisplayLoss(std::function<void(const std::string& cause)> last);

}  // namespace cellscope::gui
