#include "app/window.h"

#include <cstdlib>

#include "app/gui/app.h"

namespace cellscope {

int runWindow(const WindowOptions& options) {
  gui::App app(options, nullptr);
  return app.run();
}

bool displayNamed() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value && *value) return true;
  }
  return false;
}

}  // namespace cellscope
