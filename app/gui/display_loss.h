// Handles the loss of the display server (logout) or of the window (destroyed by another program).
#pragma once
#include <functional>
#include <string>

namespace cellscope::gui {

// Xlib ends the program when its connection breaks or a request fails, such as drawing into a
// destroyed window. `last` is called before that, on the window's thread, with the cause as in
// "stopped by ..."; it must not draw. An empty function removes the handler. Does nothing without
// Xlib.
void onDisplayLoss(std::function<void(const std::string& cause)> last);

}  // namespace cellscope::gui
