// Keys, mouse and dropped files, as GLFW reports them; the loss of the display.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>

#include "app/gui/gl_window.h"

namespace cellscope::gui {

// ImGui before 1.87 samples keys once per frame: a key pressed and released between two frames is
// held for one. Pressed again, it and those after it wait for the next, in which it is released.
void GlWindow::keepShortTaps() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  const std::vector<Tap> before = heldTaps_;
  const auto isIn = [](const std::vector<Tap>& taps, int key) {
    return std::ranges::any_of(taps, [=](const Tap& t) { return t.key == key; });
  };
  for (const Tap& tap : heldTaps_) {
    io.KeysDown[tap.key] = glfwGetKey(window_, tap.key) == GLFW_PRESS;
    if (tap.mods & GLFW_MOD_CONTROL)
      io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
    if (tap.mods & GLFW_MOD_SHIFT)
      io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
  }
  heldTaps_.clear();
  std::vector<Tap> later;
  for (const Tap& tap : taps_) {
    if (!later.empty() || isIn(before, tap.key) || isIn(heldTaps_, tap.key)) {
      if (isIn(before, tap.key)) io.KeysDown[tap.key] = false;
      later.push_back(tap);
      continue;
    }
    // Also where the key is still down: its modifier may have been released already.
    io.KeysDown[tap.key] = true;
    if (tap.mods & GLFW_MOD_CONTROL) io.KeyCtrl = true;
    if (tap.mods & GLFW_MOD_SHIFT) io.KeyShift = true;
    heldTaps_.push_back(tap);
  }
  taps_ = std::move(later);
  if (!io.WantTextInput) io.KeysDown[GLFW_KEY_TAB] = false;  // it goes through all controls
  happened_ = happened_ || !taps_.empty();
#else
  taps_.clear();
#endif
}

// Later versions of ImGui handle this themselves.
void GlWindow::keepShortClicks() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  const MouseQueue::Seen seen = clicks_.next();
  std::copy(seen.down, seen.down + MouseQueue::kButtons, io.MouseDown);
  if (seen.at) io.MousePos = *seen.at;
  // A double-click is at least three frames long.
  io.MouseDoubleClickTime = std::max(0.4f, 4 * io.DeltaTime);
#endif
}

void GlWindow::watchEvents() {
  static constexpr auto self = [](GLFWwindow* w) -> GlWindow& {
    return *static_cast<GlWindow*>(glfwGetWindowUserPointer(w));
  };
  // Those that only need to be noticed here, whatever they tell.
  static constexpr auto noted = [](GLFWwindow* w, auto...) { self(w).happened_ = true; };
  static constexpr auto scrolled = [](GLFWwindow* w, auto...) {
    self(w).acted_ = self(w).happened_ = true;
  };
  static constexpr auto moved = [](GLFWwindow* w, auto...) {
    self(w).moved_ = self(w).happened_ = true;
  };
  static constexpr auto resized = [](GLFWwindow* w, auto...) {
    self(w).resized_ = self(w).happened_ = true;
  };
  glfwSetScrollCallback(window_, scrolled);
  glfwSetCursorEnterCallback(window_, noted);
  glfwSetWindowFocusCallback(window_, noted);
  glfwSetWindowRefreshCallback(window_, noted);
  glfwSetWindowCloseCallback(window_, noted);
  glfwSetWindowContentScaleCallback(window_, noted);
  glfwSetFramebufferSizeCallback(window_, resized);
  glfwSetWindowSizeCallback(window_, resized);
  glfwSetWindowPosCallback(window_, moved);
  glfwSetKeyCallback(window_, [](GLFWwindow* w, auto... told) { self(w).onKey(told...); });
  glfwSetMouseButtonCallback(window_,
                             [](GLFWwindow* w, auto... told) { self(w).onMouseButton(told...); });
  // Events arrive in order: the last move before a press gives its place. glfwGetCursorPos would
  // return where the mouse is now, which after a slow frame is somewhere along the drag.
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    self(w).happened_ = self(w).acted_ = true;
    self(w).cursor_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, auto... told) { self(w).onCharacter(told...); });
  glfwSetDropCallback(window_, [](GLFWwindow* w, auto... told) { self(w).onDrop(told...); });
}

void GlWindow::onKey(int key, int scancode, int action, int mods) {
  happened_ = acted_ = true;
  repeated_ = action == GLFW_REPEAT;
  if (action == GLFW_RELEASE) return;
  for (const auto& [pressed, code] :
       {std::pair(GLFW_KEY_BACKSPACE, kKeyBack), std::pair(GLFW_KEY_PAGE_UP, kKeyEarlier),
        std::pair(GLFW_KEY_PAGE_DOWN, kKeyLater)})
    if (key == pressed) pending_.push_back(code);
  if (action != GLFW_PRESS) return;
  if (key >= 0 && key < 512) taps_.push_back({key, mods});
  const char* name = glfwGetKeyName(key, scancode);
  const bool control = mods & GLFW_MOD_CONTROL;
  constexpr std::pair<const char*, unsigned> kTyped[] = {
      {"z", kKeyUndo}, {"+", kKeyLarger}, {"=", kKeyLarger}, {"-", kKeySmaller},
      {"o", kKeyOpen}, {"v", kKeyPaste},  {"s", kKeySave},   {"0", kKeyUsual}};
  for (const auto& [typed, code] : kTyped)
    if (control && name && std::string(name) == typed) return pending_.push_back(code);
  if (control && key == GLFW_KEY_KP_ADD) pending_.push_back(kKeyLarger);
  if (control && key == GLFW_KEY_KP_SUBTRACT) pending_.push_back(kKeySmaller);
  if (key == GLFW_KEY_F1) pending_.push_back(kKeyHelp);
  if (key == GLFW_KEY_TAB && !(mods & GLFW_MOD_ALT))
    pending_.push_back(mods & GLFW_MOD_SHIFT ? kKeyBackTab : kKeyTab);
  if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) pending_.push_back(kKeyEnter);
  if (key == GLFW_KEY_END) pending_.push_back(kKeyEnd);
  if (key == GLFW_KEY_ESCAPE) pending_.push_back(kKeyEscape);
}

void GlWindow::onMouseButton(int button, int action, int) {
  happened_ = acted_ = true;
  if (!cursor_) {
    double x = 0, y = 0;
    glfwGetCursorPos(window_, &x, &y);
    cursor_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  }
  clicks_.add(button, action == GLFW_PRESS, *cursor_);
}

void GlWindow::onDrop(int count, const char** paths) {
  happened_ = true;
  dropped_.insert(dropped_.end(), paths, paths + count);
  lastInput_ = glfwGetTime();
}

// Held keys repeat only for single steps and phases.
void GlWindow::onCharacter(unsigned codepoint) {
  happened_ = true;
  if (repeated_ && codepoint != '.' && codepoint != ',') return;
  pending_.push_back(codepoint);
}

// How the connection to the X server is lost.
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
