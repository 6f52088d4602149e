// When panels are built, and how a frame is put together from the picture and the panels.
#include "app/gui/app.h"
#include "app/gui/panel_cache.h"
#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

constexpr double kSettled = 0.5;           // seconds after the last event: nothing reacts any more
constexpr double kPanelSeconds = 1 / 15.;  // between panels that only the run changes

}  // namespace

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
