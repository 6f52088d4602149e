// The strip below the picture: the run's kept moments, where it is among them, and its branches.
#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

constexpr double kMiB = 1 << 20;

bool smallButton(Shell& shell, const char* id, Icon icon, ImVec2 at, float side, bool can) {
  const Palette& c = *shell.colours;
  const ImU32 pale = withAlpha(c.muted, 0.4f);
  const bool pressed = iconButton(shell, std::string("timeline:") + id, icon, at, side,
                                  shell.px(10), can ? c.text : pale, can ? c.accent : pale);
  return pressed && can;
}

struct Track {
  ImVec2 lo, hi;
  std::uint64_t first = 0, end = 1;
  float at(std::uint64_t step) const {
    const double share = static_cast<double>(step - std::min(step, first)) /
                         static_cast<double>(std::max<std::uint64_t>(1, end - first));
    return lo.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (hi.x - lo.x);
  }
  std::uint64_t stepAt(float x) const {
    const double share = std::clamp((x - lo.x) / std::max(1.f, hi.x - lo.x), 0.f, 1.f);
    return first + static_cast<std::uint64_t>(share * static_cast<double>(end - first) + 0.5);
  }
};

void drawTrack(Shell& shell, const Track& track) {
  const Publication& now = *shell.now;
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = (track.lo.y + track.hi.y) / 2, thick = shell.px(2), tick = shell.px(4);
  const float x = track.at(now.step);
  list->AddLine(ImVec2(track.lo.x, y), ImVec2(track.hi.x, y), c.line, thick);
  for (const std::uint64_t step : now.timeline.steps)
    list->AddLine(ImVec2(track.at(step), y - tick), ImVec2(track.at(step), y + tick),
                  withAlpha(c.muted, 0.45f), shell.stroke());
  list->AddLine(ImVec2(track.lo.x, y), ImVec2(x, y), c.accent, thick);
  for (const Branch& branch : now.timeline.branches) {
    if (branch.ahead || branch.from < track.first) continue;
    const float at = track.at(branch.from), r = shell.px(4);
    list->AddQuadFilled(ImVec2(at, y - r), ImVec2(at + r, y), ImVec2(at, y + r), ImVec2(at - r, y),
                        c.amber);
  }
  list->AddCircleFilled(ImVec2(x, y), shell.px(6), c.viewport, 20);
  list->AddCircleFilled(ImVec2(x, y), shell.px(5), now.timeline.behind ? c.amber : c.accent, 20);
  shell.log->rect("timeline:knob", ImVec2(x - shell.px(5), y - shell.px(5)),
                  ImVec2(x + shell.px(5), y + shell.px(5)));
}

// The words at the right: where the run is, or how much memory is used.
std::string wordsOf(const Publication& now, bool behind) {
  const Timeline& t = now.timeline;
  if (behind) return grouped(now.step) + " of " + grouped(t.end);
  if (t.needed > 0)
    return fmt::format("two snapshots of {:.0f} MiB do not fit into {:.0f} MiB",
                       static_cast<double>(t.needed) / kMiB,
                       static_cast<double>(t.limitBytes) / kMiB);
  return fmt::format("{:.0f} of {:.0f} MiB", static_cast<double>(t.usedBytes) / kMiB,
                     static_cast<double>(t.limitBytes) / kMiB);
}

void trackInput(Shell& shell, const Track& track) {
  const Publication& now = *shell.now;
  static std::uint64_t asked = ~0ull;
  if (!ImGui::IsItemActive()) {
    asked = ~0ull;
  } else if (now.timeline.needed == 0 && !now.timeline.steps.empty()) {
    const std::uint64_t step = track.stepAt(ImGui::GetIO().MousePos.x);
    if (step != asked) shell.goNear(asked = step);
  }
  const std::uint64_t there = track.stepAt(ImGui::GetIO().MousePos.x);
  tooltip(
      shell, "The run",
      {fmt::format("{} {}. Drag to go back to a snapshot (ticks), as far as {} {}. Backspace: one "
                   "step back; End: forward again.",
                   now.mode->stepName, grouped(there), now.mode->stepName, grouped(track.first)),
       "Going on repeats the run, changes included; another change begins a new branch, and the "
       "one before stays in the plots as a pale line (diamond: where it was left)."});
}

}  // namespace

float timelineHeight(const Shell& shell) {
  return shell.now && shell.now->timeline.limitBytes > 0 && hasSteps(shell) ? shell.px(26) : 0;
}

// A preparation has no steps to go back to yet. Nothing comes or goes while a button is held down:
// whoever drags along the track keeps hold of it, and Cancel stays under the mouse.
bool hasTimeline(Shell& shell) {
  const Timeline& t = shell.now->timeline;
  if (shell.now->preparation && t.steps.empty()) return false;
  static bool hasRoom = true;
  if (!ImGui::IsMouseDown(0)) hasRoom = !showsSetup(shell) || t.behind;
  return timelineHeight(shell) > 0 && hasRoom;
}

void timelineStrip(Shell& shell, ImVec2 at, ImVec2 size) {
  const Publication& now = *shell.now;
  const Timeline& t = now.timeline;
  const Pane pane("timeline", bareLook(at, size));
  const float side = size.y, pad = shell.px(8);
  const bool canBack = !t.steps.empty() && (now.step > t.steps.front() || now.nextPhase > 0);
  if (smallButton(shell, "back", Icon::back, ImVec2(at.x + pad, at.y), side, canBack))
    shell.stepBack();
  tooltip(shell, "One " + now.mode->stepName + " back (Backspace)",
          {"Pauses the run. Computed from the snapshot before it."});
  float right = at.x + size.x - pad;
  // Room for the longest words of their kind, so that the track does not move.
  const std::string words = wordsOf(now, t.behind);
  const float room = std::max({textSize(shell.fonts.smallNumbers, words).x,
                               textSize(shell.fonts.smallNumbers, wordsOf(now, true)).x,
                               textSize(shell.fonts.smallNumbers, "000 of 000 MiB").x});
  if (size.x - room > shell.px(260) || t.needed > 0) {
    const ImVec2 text = textSize(shell.fonts.smallNumbers, words);
    drawText(shell.fonts.smallNumbers, ImVec2(right - text.x, at.y + (side - text.y) / 2),
             t.behind || t.needed > 0 ? shell.colours->amber : shell.colours->muted,
             fitted(shell.fonts.smallNumbers, words, size.x - 2 * side - 2 * pad));
    shell.log->rect("timeline:words", ImVec2(right - text.x, at.y), ImVec2(right, at.y + side));
    right -= room + pad;
  }
  if (smallButton(shell, "now", Icon::end, ImVec2(right - side, at.y), side, t.behind))
    shell.forwardToEnd();
  tooltip(shell, "Forward to now (End)", {"To where the run was before going back."});
  const float left = at.x + pad + side + pad;
  right -= side + pad;
  if (right - left > shell.px(40)) {
    Track track{ImVec2(left, at.y), ImVec2(right, at.y + side)};
    track.first = t.steps.empty() ? 0 : t.steps.front();
    track.end = std::max(t.end, track.first + 1);
    ImGui::SetCursorScreenPos(ImVec2(left, at.y));
    clickable(shell, "timeline:track", ImVec2(right - left, side));
    trackInput(shell, track);
    drawTrack(shell, track);
  }
  shell.log->state("kept-moments", std::to_string(t.steps.size()));
  if (!now.playing)
    shell.log->state("timeline",
                     fmt::format("{} {} {}", now.step, t.end, t.behind ? "behind" : "now"));
}

}  // namespace cellscope::gui
