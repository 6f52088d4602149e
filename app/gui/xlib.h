// Functions of Xlib, which GLFW loads: looked up at run time, so that Wayland does not need it.
#pragma once
#include <dlfcn.h>

namespace cellscope::gui {

// Null where it is not loaded.
template <class Function>
Function fromXlib(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace cellscope::gui
