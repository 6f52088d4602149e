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

bool showsSetup(Shell& shell) {
  Wait wait;
  return current(shell, wait) && wait.seconds >= kShownAfter;
}

}  // namespace cellscope::gui
