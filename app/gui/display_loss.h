// Handles the loss of the display server (logout) or of the window (destroyed by another program).
#pragma once
#include <dlfcn.h>

#include <functional>
#include <string>

namespace cellscope::gui {

// A function of Xlib, which GLFW loads: looked up at run time, so that Wayland does not need it.
// Null where it is not loaded.
template <class Function>
Function fromXlib(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

// Xlib ends the program when its connection breaks or a request fails, such as drawing into a
// destroyed window. `last` is called before that, on the window's thread, with the cause as in
// "stopped by ..."; it must not draw. An empty function removes the handler. Does nothing without
// Xlib.
void onDisplayLoss(std::function<void(const std::string& cause)> last);

}  // namespace cellscope::gui
