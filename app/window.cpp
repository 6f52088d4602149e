#include "app/window.h"

#include "app/gui/app.h"

namespace cellscope {

int runWindow(const WindowOptions& options) {
  gui::App app(options, nullptr);
  return app.run();
}

}  // namespace cellscope
