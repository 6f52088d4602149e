// Keys, mouse and dropped files, as GLFW reports them.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include "app/gui/gl_window.h"

namespace cellscope::gui {

// ImGui before 1.87 samples keys once per frame: a key pressed and released between two frames is
// reported as held for one frame. Pressed once more, it and those after it wait for the next frame,
// in which it is released.
void GlWindow::keepShortTaps() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  const std::vector<Tap> before = heldTaps_;
  const auto isIn = [](const std::vector<Tap>& taps, int key) {
    return std::ranges::any_of(taps, [=](const Tap& t) { return t.key == key; });
  };
  for (const Tap& tap : heldTaps_) {
    io.KeysDown[tap.key] = glfwGetKey(window_, tap.key) == GLFW_PRESS;
    if (tap.mods & GLFW_MOD_CONTROL) {
      io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
    }
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

// Those that only need to be noticed here.
void GlWindow::watchEvents(GLFWwindow* window) {
  static constexpr auto noted = [](GLFWwindow* w) {
    static_cast<GlWindow*>(glfwGetWindowUserPointer(w))->happened_ = true;
  };
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) {
    static_cast<GlWindow*>(glfwGetWindowUserPointer(w))->acted_ = true;
    noted(w);
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { noted(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { noted(w); });
  glfwSetWindowRefreshCallback(window, noted);
  glfwSetWindowCloseCallback(window, noted);
  static constexpr auto resized = [](GLFWwindow* w, int, int) {
    static_cast<GlWindow*>(glfwGetWindowUserPointer(w))->resized_ = true;
    noted(w);
  };
  glfwSetFramebufferSizeCallback(window, resized);
  glfwSetWindowSizeCallback(window, resized);
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { noted(w); });
}

void GlWindow::onPlace(GLFWwindow* window, int, int) {
  auto& self = *static_cast<GlWindow*>(glfwGetWindowUserPointer(window));
  self.moved_ = self.happened_ = true;
}

void GlWindow::onKey(GLFWwindow* window, int key, int scancode, int action, int mods) {
  auto& self = *static_cast<GlWindow*>(glfwGetWindowUserPointer(window));
  self.happened_ = self.acted_ = true;
  self.repeated_ = action == GLFW_REPEAT;
  if (action == GLFW_RELEASE) return;
  for (const auto& [pressed, code] :
       {std::pair(GLFW_KEY_BACKSPACE, kKeyBack), std::pair(GLFW_KEY_PAGE_UP, kKeyEarlier),
        std::pair(GLFW_KEY_PAGE_DOWN, kKeyLater)})
    if (key == pressed) self.pending_.push_back(code);
  if (action != GLFW_PRESS) return;
  if (key >= 0 && key < 512) self.taps_.push_back({key, mods});
  const char* name = glfwGetKeyName(key, scancode);
  const bool control = mods & GLFW_MOD_CONTROL;
  constexpr std::pair<const char*, unsigned> kTyped[] = {
      {"z", kKeyUndo}, {"+", kKeyLarger}, {"=", kKeyLarger}, {"-", kKeySmaller},
      {"o", kKeyOpen}, {"v", kKeyPaste},  {"s", kKeySave},   {"0", kKeyUsual}};
  for (const auto& [typed, code] : kTyped)
    if (control && name && std::string(name) == typed) return self.pending_.push_back(code);
  if (control && key == GLFW_KEY_KP_ADD) self.pending_.push_back(kKeyLarger);
  if (control && key == GLFW_KEY_KP_SUBTRACT) self.pending_.push_back(kKeySmaller);
  if (key == GLFW_KEY_F1) self.pending_.push_back(kKeyHelp);
  if (key == GLFW_KEY_TAB && !(mods & GLFW_MOD_ALT))
    self.pending_.push_back(mods & GLFW_MOD_SHIFT ? kKeyBackTab : kKeyTab);
  if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) self.pending_.push_back(kKeyEnter);
  if (key == GLFW_KEY_END) self.pending_.push_back(kKeyEnd);
  if (key == GLFW_KEY_ESCAPE) self.pending_.push_back(kKeyEscape);
}

// Events arrive in order: the last move before a press gives its place. glfwGetCursorPos would
// return where the mouse is now, which after a slow frame is somewhere along the drag.
void GlWindow::onMouseMove(GLFWwindow* window, double x, double y) {
  auto& self = *static_cast<GlWindow*>(glfwGetWindowUserPointer(window));
  self.happened_ = self.acted_ = true;
  self.cursor_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
}

void GlWindow::onMouseButton(GLFWwindow* window, int button, int action, int) {
  auto& self = *static_cast<GlWindow*>(glfwGetWindowUserPointer(window));
  self.happened_ = self.acted_ = true;
  if (!self.cursor_) {
    double x = 0, y = 0;
    glfwGetCursorPos(window, &x, &y);
    self.cursor_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  }
  self.clicks_.add(button, action == GLFW_PRESS, *self.cursor_);
}

void GlWindow::onDrop(GLFWwindow* window, int count, const char** paths) {
  auto& self = *static_cast<GlWindow*>(glfwGetWindowUserPointer(window));
  self.happened_ = true;
  self.dropped_.insert(self.dropped_.end(), paths, paths + count);
  self.lastInput_ = glfwGetTime();
}

std::vector<std::string> GlWindow::takeDropped() { return std::exchange(dropped_, {}); }

// Held keys repeat only for single steps and phases.
void GlWindow::onCharacter(GLFWwindow* window, unsigned codepoint) {
  auto& self = *static_cast<GlWindow*>(glfwGetWindowUserPointer(window));
  self.happened_ = true;
  if (self.repeated_ && codepoint != '.' && codepoint != ',') return;
  self.pending_.push_back(codepoint);
}

}  // namespace cellscope::gui
