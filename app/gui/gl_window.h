// GLFW window with an OpenGL 4.5 context and Dear ImGui in it: scale, fonts, keys, frame pacing.
#pragma once
#include <dlfcn.h>

#include <functional>
#include <utility>

#include "app/gui/input_clock.h"
#include "app/gui/theme.h"
#include "app/window.h"

struct GLFWwindow;

namespace cellscope::gui {

// A key pressed while no text field had the keyboard: a character as typed, or one of these.
enum : unsigned {
  kKeyEarlier = 1,  // Page Up
  kKeyLater = 2,    // Page Down
  kKeyEnd = 3,
  kKeyBack = 8,  // Backspace
  kKeyTab = 9,
  kKeyBackTab = 11,  // Shift Tab
  kKeyEnter = 13,
  kKeyEscape = 27,
  kKeyUndo = 26,
  kKeyLarger = 28,   // Ctrl +
  kKeySmaller = 29,  // Ctrl -
  kKeyUsual = 30,    // Ctrl 0
  kKeyHelp = 31,     // F1
  kKeyOpen = 15,     // Ctrl O
  kKeyPaste = 22,    // Ctrl V
  kKeySave = 19      // Ctrl S
};

class GlWindow {
 public:
  // Throws RunError: no display, or no OpenGL 4.5; the message names the remedy.
  explicit GlWindow(const WindowOptions& options);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  bool shouldClose() const;
  void hide();
  // Receives events. True when there were any: what the panels show may change at once.
  bool poll();
  // Reads input, adopts the display's scale and starts an ImGui frame. `zoom`: of all sizes.
  void begin(bool dark, float zoom);
  // Makes the window's framebuffer the target and clears it.
  void clear(ImU32 colour);
  void drawGui();  // ImGui over what is in the framebuffer
  // A frame of ImGui alone, of this size in pixels, not shown. Between swap() and begin().
  render::Image drawAside(int width, int height, float scale, ImU32 background,
                          const std::function<void(const Fonts&)>& content);
  // Shows what was drawn. Returns how long the input waited that it answers, if that is measured.
  std::optional<InputClock::Answer> swap();
  // Waits for the next frame, or, with `sleepSeconds` > 0, so long or until an event or wake().
  void rest(double sleepSeconds);
  static void wake();  // from any thread, while a window exists
  void setTitle(const std::string& title);

  float scale() const { return scale_; }            // ImGui units per pixel at 1x, zoom included
  float pixelRatio() const { return pixelRatio_; }  // framebuffer pixels per ImGui unit
  int width() const { return width_; }              // framebuffer pixels
  int height() const { return height_; }
  const Fonts& fonts() const { return fonts_; }
  const std::vector<unsigned>& keys() const { return keys_; }
  double secondsSinceInput() const;
  double secondsSinceEvent() const;
  void forgetInput() { inputs_.forget(); }  // for its delay
  InputClock::Delays inputDelays() const { return inputs_.delays(); }
  // Paths of files dropped on the window since the last call.
  std::vector<std::string> takeDropped() { return std::exchange(dropped_, {}); }

 private:
  void measure();
  void rebuildFonts(bool dark);
  void keepShortTaps();
  void keepShortClicks();
  void watchEvents();
  void onKey(int key, int scancode, int action, int mods);
  void onMouseButton(int button, int action, int mods);
  void onCharacter(unsigned codepoint);
  void onDrop(int count, const char** paths);

  GLFWwindow* window_ = nullptr;
  double wantedScale_ = 0;
  int screenHeight_ = 0;  // pixels, of the screen that the window is on
  bool moved_ = true;     // perhaps to another screen
  bool resized_ = true;
  bool unlimited_ = false, repeated_ = false, dark_ = true;
  bool happened_ = true;  // an event since the last poll()
  bool acted_ = false;    // the same, by key or mouse
  InputClock inputs_;
  float scale_ = 0, builtScale_ = 0, pixelRatio_ = 1, builtRatio_ = 1, zoom_ = 1;
  int width_ = 1, height_ = 1;
  double nextFrame_ = 0, frameTime_ = 1.0 / 60, lastInput_ = 0, lastEvent_ = 0;
  ImVec2 lastMouse_;
  std::string title_;
  Fonts fonts_;
  std::vector<unsigned> keys_, pending_;
  std::vector<std::string> dropped_;
  struct Tap {
    int key, mods;
  };
  std::vector<Tap> taps_, heldTaps_;
  MouseQueue clicks_;
  std::optional<ImVec2> cursor_;  // where the last event left the mouse
};

// A function of Xlib, which GLFW loads: looked up at run time, so that Wayland does not need it.
// Null where it is not loaded.
template <class Function>
Function fromXlib(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

// Xlib ends the program when its connection breaks or a request fails, such as drawing into a
// destroyed window. `last` is called before that, on the window's thread, with the cause as in
// "stopped by ..."; it must not draw. An empty one removes the handler. Nothing without Xlib.
void onDisplayLoss(std::function<void(const std::string& cause)> last);

}  // namespace cellscope::gui
