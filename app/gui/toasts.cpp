// Notes at the lower edge of the picture. Errors stay until dismissed or the state changes.
#include <chrono>

#include "app/gui/panels.h"

namespace cellscope::gui {

constexpr double kInfoSeconds = 5, kWarningSeconds = 12, kFade = 0.3;

static double staysFor(const Toast& t) {
  return !t.answers.empty()                ? HUGE_VAL
         : t.severity == Severity::info    ? kInfoSeconds
         : t.severity == Severity::warning ? kWarningSeconds
                                           : HUGE_VAL;
}

static void collect(Shell& shell) {
  for (const Message& m : shell.now->messages) {
    if (m.number <= shell.lastMessage) continue;
    shell.lastMessage = m.number;
    // A refused value is no longer pending.
    if (m.severity == Severity::error) shell.pending.clear();
    shell.say(m.severity, withLabels(m.text, shell.now->parameters));
  }
  std::erase_if(shell.toasts, [&](const Toast& t) { return shell.time - t.shownAt > staysFor(t); });
  while (shell.toasts.size() > 3) shell.toasts.erase(shell.toasts.begin());
}

// One note with its lower edge at `bottom`; its height, and whether it was dismissed.
static float note(Shell& shell, int index, ImVec2 bottom, float width, bool& dismissed,
                  std::function<void()>& answer) {
  const Toast& toast = shell.toasts[static_cast<std::size_t>(index)];
  const ImU32 mark = toast.severity == Severity::error     ? shell.colours->red
                     : toast.severity == Severity::warning ? shell.colours->amber
                                                           : shell.colours->accent;
  const double age = shell.time - toast.shownAt;
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, static_cast<float>(std::clamp(age / kFade, 0.05, 1.0)));
  PaneLook look = progressLook(shell, bottom, width);
  look.padding = shell.px(16, 10);
  Pane pane("toast" + std::to_string(index), look);
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::PushClipRect(at, at + size, false);
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2(shell.px(4), size.y), mark,
                                            shell.px(2));
  ImGui::PopClipRect();
  ImGui::PushTextWrapPos(width - shell.px(40));
  ImGui::TextUnformatted(
      wrapped(ImGui::GetFont(), sentence(toast.text), width - shell.px(56)).c_str());
  ImGui::PopTextWrapPos();
  for (std::size_t k = 0; k < toast.answers.size(); ++k) {
    if (k > 0) ImGui::SameLine();
    if (!button(shell, "answer:" + std::to_string(k), toast.answers[k].first)) continue;
    answer = toast.answers[k].second;
    dismissed = true;
  }
  dismissed = iconButton(shell, "dismiss:" + std::to_string(index), Icon::close,
                         ImVec2(at.x + width - shell.px(32), at.y + shell.px(6)), shell.px(26),
                         shell.px(10)) ||
              dismissed;
  pane.end();
  ImGui::PopStyleVar();
  return size.y;
}

double secondsOfToasts(const Shell& shell) {
  double least = HUGE_VAL;
  for (const Toast& t : shell.toasts) {
    const double age = shell.time - t.shownAt;
    if (age <= 2 * kFade) return 0;
    constexpr double kAfter = 0.01;  // then it is gone
    least = std::min(least, std::max(0.0, staysFor(t) - age) + kAfter);
  }
  return least;
}

void toasts(Shell& shell, ImVec2 lo, ImVec2 hi, ImVec2 legendSize) {
  collect(shell);
  const float width = std::min(shell.px(460), hi.x - lo.x - shell.px(32));
  const bool meetsLegend = (lo.x + hi.x - width) / 2 < lo.x + legendSize.x;
  float y = hi.y - std::max(shell.px(shell.presentation ? 64 : 16),
                            meetsLegend ? legendSize.y + shell.px(8) : 0);
  // Below the picture where something is: it may be there for long.
  const bool within = shell.presentation || shell.panelsHidden || hasTimeline(shell);
  const float foot = within ? y : hi.y + timelineHeight(shell);
  const float card = setupCard(shell, ImVec2((lo.x + hi.x) / 2, foot), hi.x - lo.x);
  if (card > 0) y = std::min(y, foot - card - shell.px(8));
  shell.legendLift = card > 0 && !within ? std::max(0.f, hi.y - foot + card - shell.px(8)) : 0;
  const float recording = recordingCard(shell, ImVec2((lo.x + hi.x) / 2, y), hi.x - lo.x);
  if (recording > 0) y -= recording + shell.px(8);
  if (!shell.after.screenshot.empty()) return;  // notes are no part of what is shown
  int gone = -1;
  std::function<void()> answer;
  for (int i = static_cast<int>(shell.toasts.size()) - 1; i >= 0; --i) {
    bool dismissed = false;
    y -= note(shell, i, ImVec2((lo.x + hi.x) / 2, y), width, dismissed, answer) + shell.px(8);
    if (dismissed) gone = i;
  }
  if (gone >= 0) shell.toasts.erase(shell.toasts.begin() + gone);
  if (answer) answer();
}

// Card with the progress of a set-up and a button to cancel it.

namespace {

constexpr double kShownAfter = 0.2;  // seconds

struct Wait {
  std::string title;
  Preparation stage{"", -1};
  double seconds = 0, left = -1;  // left: negative: not known
  bool cancellable = true;
  std::string then;
};

// The preparation of a running simulation, timed here while it goes on.
bool preparing(Shell& shell, Wait& wait) {
  struct Timed {
    double since = -1, spent = 0, from = 0, at = 0;
  };
  static Timed timed;
  if (!shell.now || !shell.now->preparation) {
    timed = {};
    return false;
  }
  const double progress = shell.now->preparation->progress;
  if (timed.since < 0) timed.since = shell.time;
  if (timed.spent == 0 || progress < timed.at) timed.spent = 0, timed.from = progress;
  if (shell.now->playing) timed.spent += shell.frameSeconds;
  timed.at = progress;
  wait = {shell.now->playing ? "Preparing" : "Preparation paused: press Space to continue",
          *shell.now->preparation,
          shell.time - timed.since,
          shell.now->playing ? secondsLeft(timed.spent, timed.from, progress) : -1,
          shell.now->canCancelPreparation,
          "then averages begin"};
  return true;
}

bool current(Shell& shell, Wait& wait) {
  // The steps of a preparation may take long too: its card goes on.
  if (preparing(shell, wait) && (!shell.setup || shell.setup->isStep)) return true;
  if (!shell.setup) return false;
  wait = {};
  wait.title = shell.setup->name;
  if (shell.setup->stage) wait.stage = *shell.setup->stage;
  wait.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - shell.setup->began).count();
  wait.left = secondsLeft(wait.seconds, 0, wait.stage.progress);
  wait.then = shell.setup->then;
  return true;
}

}  // namespace

float setupCard(Shell& shell, ImVec2 bottom, float room) {
  Wait wait;
  if (!current(shell, wait) || wait.seconds < kShownAfter) return 0;
  const std::string label = wait.stage.label.empty() ? "" : ": " + printed(wait.stage.label);
  // As wide as its words where there is room, in steps that do not follow each digit.
  const float pad = shell.px(16), step = shell.px(80);
  const float words = textSize(shell.fonts.small, wait.title + label + "100 %Cancel").x + 4 * pad;
  const float width =
      std::min(std::max(shell.px(640), step * std::ceil(words / step)), room - 2 * pad);
  PaneLook look = progressLook(shell, bottom, width);
  look.padding = ImVec2(pad, shell.px(5));
  const Pane pane("setup", look);
  ImFont* const font = shell.fonts.small;
  const ImVec2 at = ImGui::GetCursorScreenPos(), cancel = textSize(font, "Cancel");
  const float inner = width - 2 * pad;
  float right = at.x + inner;
  if (wait.cancellable) {
    right -= cancel.x;
    if (wordButton(shell, "button:cancel-setup", "Cancel", ImVec2(right, at.y))) shell.cancel();
    tooltip(
        shell, "Cancel (Esc)",
        {"Cancels the set-up and keeps the previous state. Other commands wait until it ends."});
    right -= pad;
  }
  if (wait.stage.progress >= 0)
    right =
        drawTextTo(font, ImVec2(right, at.y), shell.colours->text, percent(wait.stage.progress)) -
        pad;
  drawText(font, at, shell.colours->text, fitted(font, wait.title + label, right - at.x));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + cancel.y + shell.px(4)));
  progressBar(shell, wait.stage.progress, inner);
  std::string next = wait.then;
  if (wait.left >= 0) {  // "about 4 s left, then averages begin"
    const double left = std::max(1.0, std::ceil(wait.left));
    const std::string time = left < 60 ? number(left) + " s" : duration(left);
    next = "about " + time + " left" + (next.empty() ? "" : ", " + next);
  }
  shell.log->state("setup-next", next);
  if (!next.empty()) textSmall(shell, sentence(next));
  return ImGui::GetWindowSize().y;
}

// The strip below the picture: the run's kept moments, where it is among them, and its branches.
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
  if (shell.now->preparation && shell.now->timeline.steps.empty()) return false;
  static bool hasRoom = true;
  if (Wait wait; !ImGui::IsMouseDown(0))
    hasRoom = !current(shell, wait) || wait.seconds < kShownAfter || shell.now->timeline.behind;
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
