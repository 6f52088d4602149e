#include "app/gui/display_loss.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

namespace cellscope::gui {
namespace {

std::function<void()> atLoss;

int lost(void*) {
  if (!atLoss) return 0;  // Xlib exits
  std::exchange(atLoss, nullptr)();
  // Not exit(): threads and graphics are as they were, and what is left of them is not torn down.
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

// GLFW brings Xlib; it is looked up where it is loaded, so that Wayland needs none.
void onDisplayLoss(std::function<void()> last) {
  atLoss = std::move(last);
  using Handler = int (*)(void* display);
  using Setter = Handler (*)(Handler);
  const auto set = reinterpret_cast<Setter>(::dlsym(RTLD_DEFAULT, "XSetIOErrorHandler"));
  if (set) set(atLoss ? lost : nullptr);
}

}  // namespace cellscope::gui
