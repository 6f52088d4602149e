// When panels are built, and how a frame is put together from the picture and the panels.
#include <fmt/format.h>
#include <glad/gl.h>

#include <chrono>

#include "app/gui/app.h"
#include "app/gui/display_scale.h"
#include "app/gui/format.h"
#include "app/gui/panel_cache.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"
#include "render/warm_up.h"

namespace cellscope::gui {
namespace {

constexpr double kSettled = 0.5;           // seconds after the last event: nothing reacts any more
constexpr double kPanelSeconds = 1 / 15.;  // between panels that only the run changes

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// False where the frame has to be laid out anew.
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
  if (!kept_ || compiled_[dimension]) return;  // a GPU's driver has compiled them already
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
  kept_->forget();
  back_ = {};
  window_.forgetInput();
  log_.write("shaders", fmt::format("{:.0f} ms", 1e3 * (seconds() - begun)));
}

bool App::restsFromInput() const { return window_.secondsSinceEvent() > kSettled; }

// Where the processor draws, panels follow a run less often than the picture does: numbers and
// curves, which cannot be read faster. After an event they are built in each frame, and whenever
// something on them moves by itself.
bool App::panelsDue(bool happened) const {
  if (!kept_ || kept_->empty() || happened || !restsFromInput()) return true;
  if (!shell_.now || !shell_.now->playing || shell_.now->preparation || shell_.setup) return true;
  if (last_ || options_.frameSeconds > 0 || shell_.after.framesLeft > 0) return true;
  if (!shell_.scrollTo.empty() || area_.moving() || ImGui::IsAnyMouseDown()) return true;
  // The card beside a picked particle moves with it.
  if (shell_.now->frame && shell_.now->frame->picked.id >= 0 && !shell_.particleDocked) return true;
  if (shell_.video.recording() || shell_.tour.isPraising(shell_.time)) return true;
  if (secondsOfToasts(shell_) <= 0) return true;
  return shell_.time - builtAt_ >= kPanelSeconds;
}

// Panels that are built in each frame show new numbers and curves no more often than that.
bool App::keepsNumbers(const Publication& next) const {
  if (!kept_ || !shell_.now || shell_.time - numbersAt_ >= kPanelSeconds) return false;
  if (!next.playing || !shell_.now->playing || next.preparation || next.setup) return false;
  if (next.scenario != shell_.now->scenario || next.mode != shell_.now->mode) return false;
  return options_.frameSeconds <= 0 && !shell_.video.recording();
}

std::shared_ptr<const Publication> App::withNumbersOf(const Publication& next,
                                                      const Publication& before) {
  auto both = std::make_shared<Publication>(next);
  both->observables = before.observables;
  both->curves = before.curves;
  both->kernels = before.kernels;
  both->stepsPerSecond = before.stepsPerSecond;
  both->workPerSecond = before.workPerSecond;
  return both;
}

// Where panels are kept, the window has the picture before they are drawn.
bool App::drawPicture() {
  const bool changed = area_.draw(shell_, *renderer_, kept_ != nullptr);
  if (kept_) {
    window_.target();
    area_.show(*renderer_, window_.width(), window_.height());
    glFlush();
  }
  shell_.clock.passed(FrameClock::picture);
  return changed;
}

void App::compose(bool built) {
  const int width = window_.width(), height = window_.height();
  if (!kept_ || !shell_.now) {
    if (kept_) kept_->forget(), back_ = {};
    // The columns are drawn on the clear colour.
    window_.clear(shell_.now ? shell_.colours->panel : shell_.colours->viewport);
    if (shell_.now) area_.show(*renderer_, width, height);
    return window_.drawGui();
  }
  if (built) kept_->take(window_.finishGui(), width, height, area_.pixels(), shell_.colours->panel);
  window_.target();
  kept_->show(backKept_);
  back_.mark();
}

}  // namespace cellscope::gui
