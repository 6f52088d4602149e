// How a frame begins, and what is drawn before the first one.
#include <fmt/format.h>

#include <chrono>

#include "app/gui/app.h"
#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/theme.h"
#include "app/gui/widgets.h"
#include "render/warm_up.h"

namespace cellscope::gui {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// False if the frame needs a new layout.
bool App::beginPanels() {
  // As high as the window would be at scale 1: its scale contains the zoom of the last frame.
  const float base = shell_.scale > 0 ? window_.scale() / zoomed_ : 0;
  const float lines =
      base > 0 ? static_cast<float>(window_.height()) / window_.pixelRatio() / base : 0;
  zoomed_ = shell_.zoom * (shell_.presentation ? presentationZoom(lines) : 1.f);
  window_.begin(shell_.dark, zoomed_);
  shell_.scale = window_.scale();
  const ImGuiIO& io = ImGui::GetIO();
  log_.state("keyboard", io.WantTextInput ? "text" : "shortcuts");
  log_.state("pointer", fmt::format("{:.0f} {:.0f} {}{}{}", io.MousePos.x, io.MousePos.y,
                                    io.MouseDown[0] ? "1" : "", io.MouseDown[2] ? "2" : "",
                                    io.MouseDown[1] ? "3" : ""));
  if (window_.width() != loggedWidth_ || window_.height() != loggedHeight_) {
    loggedWidth_ = window_.width();
    loggedHeight_ = window_.height();
    log_.write("size",
               fmt::format("{} {} scale {:.2f}", loggedWidth_, loggedHeight_, shell_.scale));
  }
  shell_.colours = &palette(shell_.dark);
  shell_.fonts = window_.fonts();
  watchMouse();
  // Of several files only the last one is opened.
  if (const auto dropped = window_.takeDropped(); !dropped.empty()) shell_.openFile(dropped.back());
  const bool dark = shell_.dark, presentation = shell_.presentation;
  const float zoom = shell_.zoom;
  if (shell_.now) handleKeys(shell_, window_.keys());
  if (shell_.dark != dark || shell_.presentation != presentation || shell_.zoom != zoom) {
    // This frame was laid out with the old scale and colours: discard it.
    ImGui::EndFrame();
    return false;
  }
  return true;
}

void App::waitingFor(const std::string& what) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize, size = textSize(shell_.fonts.words, what);
  drawText(ImGui::GetBackgroundDrawList(), shell_.fonts.words,
           ImVec2((screen.x - size.x) / 2, (screen.y - size.y) / 2), shell_.colours->muted, what);
}

// Before the first picture of a plane or of space, so that no key waits for a compiler: seconds at
// the first start on a computer, later a part of one, as the driver finds them on disk.
void App::compileShaders(int dimension) {
  if (!renderer_->drawsOnCpu() || compiled_[dimension])
    return;  // a GPU's driver has compiled them already
  compiled_[dimension] = true;
  constexpr double kFrame = 0.05, kUnseen = 0.2;
  const double begun = seconds();
  render::WarmUp shaders(dimension);
  while (!shaders.done() && !window_.shouldClose() && !interrupt_.raised()) {
    for (const double from = seconds(); !shaders.done() && seconds() - from < kFrame;)
      shaders.drawNext(*renderer_);
    if (shaders.done() || seconds() - begun < kUnseen) continue;
    window_.poll();
    window_.forgetInput();
    if (!beginPanels()) continue;
    waitingFor("Compiling shaders for this computer … " + percent(shaders.share()));
    window_.clear(shell_.colours->viewport);
    window_.drawGui();
    window_.swap();
  }
  window_.forgetInput();
  log_.write("shaders", fmt::format("{:.0f} ms", 1e3 * (seconds() - begun)));
}

}  // namespace cellscope::gui
