#include "app/gui/lecture.h"

#include "app/gui/viewport.h"

namespace cellscope::gui {
namespace {

constexpr double kPhaseSeconds = 1;

void orderPhase(Shell& shell) {
  Walk& w = shell.walk;
  w.ordered = true;
  w.step = shell.now->step;
  w.phase = shell.now->nextPhase;
  shell.stepPhase();
}

}  // namespace

void setWalk(Shell& shell, bool on) {
  if (on && !shell.advances()) return;
  shell.walk = {};
  shell.walk.on = on;
  shell.walk.next = shell.time;
  shell.log->write("walk", on ? "on" : "off");
}

void goOnWalking(Shell& shell, const ViewportArea& area) {
  Walk& w = shell.walk;
  if (!w.on) return;
  if (shell.now->playing || shell.isLed()) return setWalk(shell, false);
  if (!w.ordered) {
    if (w.picture == 0) w.picture = area.pictureHash();
    if (shell.time >= w.next) orderPhase(shell);
    return;
  }
  const bool came = shell.now->step != w.step || shell.now->nextPhase != w.phase;
  if (!came || !area.shows(shell.now->frame) || area.moving()) return;
  const std::uint64_t picture = area.pictureHash();
  const auto phases = static_cast<int>(shell.now->mode->phases.size());
  w.ordered = false;
  // Of a state in which nothing moves each phase is shown once a second.
  if (picture == w.picture && w.skipped < phases) {
    ++w.skipped;
    return orderPhase(shell);
  }
  shell.log->write("walked", std::to_string(w.phase) + " skipped " + std::to_string(w.skipped));
  w.picture = picture;
  w.skipped = 0;
  w.next = shell.time + kPhaseSeconds;
}

}  // namespace cellscope::gui
