#include "app/gui/gl_window.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/gui/format.h"
#include "render/gl.h"
#include "sim/base/error.h"

namespace cellscope::gui {
namespace {

constexpr const char* kWithoutWindow =
    "Without a window, `cellscope run SCENARIO --picture picture.png --csv series.csv` runs and "
    "draws the same scenario.";

std::string lastGlfwError;

void startGlfw() {
  glfwSetErrorCallback([](int, const char* text) { lastGlfwError = text; });
  if (!glfwInit())
    throw RunError(
        "cannot open a window: {}. Start it where a display is available (DISPLAY or "
        "WAYLAND_DISPLAY set). {}",
        lastGlfwError, kWithoutWindow);
}

float contentScaleOf(GLFWmonitor* monitor) {
  float x = 1, y = 1;
  if (monitor) glfwGetMonitorContentScale(monitor, &x, &y);
  return std::clamp(std::max(x, y), 1.f, 4.f);
}

const GLFWvidmode* modeOf(GLFWmonitor* monitor) {
  return monitor ? glfwGetVideoMode(monitor) : nullptr;
}

int heightOf(GLFWmonitor* monitor) {
  const GLFWvidmode* mode = modeOf(monitor);
  return mode ? mode->height : 0;
}

GLFWwindow* createWindow(const WindowOptions& options) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.scale > 0 ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  // Depth is needed only where the picture is drawn, in a framebuffer of its own.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  // GLFW multiplies by the content scale of the screen.
  double factor = options.scale;
  if (!(factor > 0)) {
    const float content = contentScaleOf(glfwGetPrimaryMonitor());
    factor = displayScale(content, heightOf(glfwGetPrimaryMonitor())) / content;
  }
  return glfwCreateWindow(static_cast<int>(std::lround(options.width * factor)),
                          static_cast<int>(std::lround(options.height * factor)), "cellscope",
                          nullptr, nullptr);
}

// Limits the window to the work area of the screen less the window's frame, so that all controls
// stay reachable. `leastWidth`, `leastHeight`: minimum size.
void fitToScreen(GLFWwindow* window, int leastWidth, int leastHeight) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  if (width > 0 && height > 0) {
    int left = 0, top = 0, right = 0, bottom = 0, ownWidth = 0, ownHeight = 0;
    glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);
    glfwGetWindowSize(window, &ownWidth, &ownHeight);
    width -= left + right;
    height -= top + bottom;
    if (ownWidth > width || ownHeight > height) {
      glfwSetWindowSize(window, std::min(ownWidth, width), std::min(ownHeight, height));
      glfwSetWindowPos(window, x + left, y + top);
    }
    leastWidth = std::min(leastWidth, width);
    leastHeight = std::min(leastHeight, height);
  }
  glfwSetWindowSizeLimits(window, leastWidth, leastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
}

}  // namespace

GlWindow::GlWindow(const WindowOptions& options)
    : wantedScale_(options.scale), unlimited_(options.unlimitedFrames) {
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 4))
    throw InputError("scale = {}: allowed: 0.5 to 4, or 0 for the display's scale", options.scale);
  startGlfw();
  window_ = createWindow(options);
  if (!window_) {
    const std::string why = lastGlfwError;
    glfwTerminate();
    throw RunError(
        "cannot open a window: OpenGL 4.5 is needed ({}). Update the graphics driver, or set "
        "LIBGL_ALWAYS_SOFTWARE=1 to draw on the CPU. {}",
        why, kWithoutWindow);
  }
  glfwSetWindowUserPointer(window_, this);
  const double factor = options.scale > 0 ? std::max(1.0, options.scale)
                                          : displayScale(contentScaleOf(glfwGetPrimaryMonitor()),
                                                         heightOf(glfwGetPrimaryMonitor()));
  fitToScreen(window_, static_cast<int>(640 * factor), static_cast<int>(400 * factor));
  glfwShowWindow(window_);
  glfwMakeContextCurrent(window_);
  gladLoadGL(glfwGetProcAddress);
  glfwSwapInterval(unlimited_ ? 0 : 1);
  const GLFWvidmode* const mode = modeOf(glfwGetPrimaryMonitor());
  frameTime_ = 1.0 / (mode && mode->refreshRate >= 24 ? mode->refreshRate : 60);
  watchEvents();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 450 core");
  lastInput_ = lastEvent_ = glfwGetTime();
}

GlWindow::~GlWindow() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool GlWindow::shouldClose() const { return glfwWindowShouldClose(window_); }

void GlWindow::hide() { glfwHideWindow(window_); }

void GlWindow::setTitle(const std::string& title) {
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(window_, title.c_str());
}

// Of the one that holds the middle of the window; asked for only after a move, as it takes a while.
static int screenHeightOf(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0, count = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  GLFWmonitor** all = glfwGetMonitors(&count);
  int found = heightOf(glfwGetPrimaryMonitor());
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(all[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(all[i]);
    if (!mode) continue;
    const int dx = x + width / 2 - left, dy = y + height / 2 - top;
    if (dx >= 0 && dx < mode->width && dy >= 0 && dy < mode->height) found = mode->height;
  }
  return found;
}

void GlWindow::measure() {
  // Only after a change: an X server that shares the processors takes milliseconds to answer.
  if (std::exchange(resized_, false)) {
    int windowWidth = 1, windowHeight = 1;
    glfwGetFramebufferSize(window_, &width_, &height_);
    glfwGetWindowSize(window_, &windowWidth, &windowHeight);
    pixelRatio_ =
        windowWidth > 0 ? static_cast<float>(width_) / static_cast<float>(windowWidth) : 1;
    if (!(pixelRatio_ > 0)) pixelRatio_ = 1;
  }
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  if (std::exchange(moved_, false)) screenHeight_ = screenHeightOf(window_);
  const float asked = wantedScale_ > 0 ? static_cast<float>(wantedScale_)
                                       : displayScale(std::max(x, y), screenHeight_);
  scale_ = std::clamp(asked, 0.5f, 4.f) / pixelRatio_ * zoom_;
}

void GlWindow::rebuildFonts(bool dark) {
  fonts_ = buildFonts(scale_, pixelRatio_);
  printSymbols(!fonts_.builtIn);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  applyStyle(palette(dark), scale_);
  builtScale_ = scale_;
  builtRatio_ = pixelRatio_;
  dark_ = dark;
}

bool GlWindow::poll() {
  inputs_.look();
  glfwPollEvents();
  inputs_.take(std::exchange(acted_, false));
  const bool happened = std::exchange(happened_, false);
  if (happened) lastEvent_ = glfwGetTime();
  return happened;
}

void GlWindow::begin(bool dark, float zoom) {
  zoom_ = zoom;
  measure();
  if (scale_ != builtScale_ || pixelRatio_ != builtRatio_) rebuildFonts(dark);
  if (dark != dark_) {
    dark_ = dark;
    applyStyle(palette(dark), scale_);
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  keepShortTaps();
  keepShortClicks();
  ImGui::NewFrame();
  keys_.swap(pending_);
  pending_.clear();
  const ImGuiIO& io = ImGui::GetIO();
  // A text field takes all keys but those of the dialog around it.
  if (io.WantTextInput)
    std::erase_if(keys_, [](unsigned key) {
      return key != kKeyEscape && key != kKeyTab && key != kKeyBackTab && key != kKeyEnter;
    });
  if (!keys_.empty() || io.MouseDown[0] || io.MouseDown[1] || io.MouseWheel != 0 ||
      io.MousePos.x != lastMouse_.x || io.MousePos.y != lastMouse_.y) {
    lastInput_ = glfwGetTime();
  }
  lastMouse_ = io.MousePos;
}

double GlWindow::secondsSinceInput() const { return glfwGetTime() - lastInput_; }
double GlWindow::secondsSinceEvent() const { return glfwGetTime() - lastEvent_; }

static void clearTarget(GLuint framebuffer, int width, int height, ImU32 colour) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void GlWindow::clear(ImU32 colour) { clearTarget(0, width_, height_, colour); }

void GlWindow::drawGui() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

render::Image GlWindow::drawAside(int width, int height, float scale, ImU32 background,
                                  const std::function<void(const Fonts&)>& content) {
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = io.DisplaySize, ratio = io.DisplayFramebufferScale, mouse = io.MousePos;
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DisplayFramebufferScale = ImVec2(1, 1);
  io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
  const Fonts fonts = buildFonts(scale, 1);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  applyStyle(palette(dark_), scale);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  content(fonts);
  ImGui::Render();
  const render::GlFramebuffer target = render::makeFramebuffer();
  const render::GlTexture colour = render::makeTexture(GL_RGBA8, width, height);
  glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, colour, 0);
  clearTarget(target, width, height, background);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  render::Image image = render::readPixels(0, 0, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  io.DisplaySize = size;
  io.DisplayFramebufferScale = ratio;
  io.MousePos = mouse;
  rebuildFonts(dark_);
  return image;
}

// Without vertical sync the swap returns at once: limit the frame rate to the display's.
std::optional<InputClock::Answer> GlWindow::swap() {
  glfwSwapBuffers(window_);
  if (inputs_.measures()) glFinish();  // a GPU may still be drawing
  return inputs_.shown();
}

void GlWindow::rest(double sleepSeconds) {
  if (unlimited_) return;
  const double now = glfwGetTime();
  if (sleepSeconds > 0) {
    constexpr double kLongest = 86400;
    glfwWaitEventsTimeout(std::min(sleepSeconds, kLongest));
    if (acted_) inputs_.arrived();
    nextFrame_ = glfwGetTime();
    return;
  }
  if (nextFrame_ > now + 0.001)
    std::this_thread::sleep_for(std::chrono::duration<double>(nextFrame_ - now));
  nextFrame_ = std::max(nextFrame_, now - frameTime_) + frameTime_;
}

void GlWindow::wake() { glfwPostEmptyEvent(); }

}  // namespace cellscope::gui
