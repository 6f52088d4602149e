#include "app/gui/gl_window.h"

#include <GLFW/glfw3.h>

#include <cstdlib>
#include <utility>

namespace cellscope::gui {
namespace {

using XId = unsigned long;
struct XError {  // XErrorEvent of Xlib
  int type;
  void* display;
  XId resource;
  unsigned long serial;
  unsigned char code, request, minor;
};
using OnBreak = int (*)(void* display);
using OnError = int (*)(void* display, XError* error);

std::function<void(const std::string&)> atLoss;
OnError xlibsOwn = nullptr;

// Whether `id` is the X or GLX window of this thread's context.
bool isOurWindow(XId id) {
  GLFWwindow* window = glfwGetCurrentContext();
  for (const char* name : {"glfwGetX11Window", "glfwGetGLXWindow"}) {
    const auto idOf = fromXlib<XId (*)(GLFWwindow*)>(name);
    if (window && idOf && idOf(window) == id) return true;
  }
  return false;
}

std::string causeOf(const XError& error) {
  if (isOurWindow(error.resource)) return "another program, which destroyed the window,";
  char text[200] = "unknown";
  using GetText = int (*)(void*, int, char*, int);
  if (const auto get = fromXlib<GetText>("XGetErrorText"))
    get(error.display, error.code, text, sizeof text);
  return std::string("an error of the X server, ") + text + ",";
}

// Not exit(): threads and graphics are still running and cannot be torn down here.
[[noreturn]] void end(const std::string& cause) {
  std::exchange(atLoss, nullptr)(cause);
  std::_Exit(EXIT_FAILURE);
}

int broken(void*) {
  if (atLoss) end("the loss of the display");
  return 0;  // Xlib exits
}

int failed(void* display, XError* error) {
  if (atLoss) end(causeOf(*error));
  return xlibsOwn ? xlibsOwn(display, error) : 0;
}

}  // namespace

void onDisplayLoss(std::function<void(const std::string&)> last) {
  atLoss = std::move(last);
  if (const auto set = fromXlib<OnBreak (*)(OnBreak)>("XSetIOErrorHandler"))
    set(atLoss ? broken : nullptr);
  if (const auto set = fromXlib<OnError (*)(OnError)>("XSetErrorHandler")) {
    const OnError before = set(atLoss ? failed : nullptr);
    if (before != failed) xlibsOwn = before;
  }
}

}  // namespace cellscope::gui
