#include "app/gui/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/format.h"
#include "app/gui/input_clock.h"
#include "sim/base/error.h"

namespace cellscope::gui {

EventLog::EventLog(const std::string& path) : path_(path), start_(monotonicSeconds()) {
  if (path.empty()) return;
  file_.open(path, std::ios::trunc);
  if (!file_) throw RunError("cannot write the event log " + path + ": choose a writable folder");
  write("clock", fmt::format("{:.4f}", start_));
}

std::string EventLog::trouble() const {
  return on() && !file_ ? "the event log " + path_ + " could not be written to its end" : "";
}

void EventLog::write(const std::string& event, const std::string& details) {
  if (!on()) return;
  file_ << fmt::format("{:.3f} {} {}\n", monotonicSeconds() - start_, event, details);
  file_.flush();
}

void EventLog::state(const std::string& name, const std::string& details) {
  if (!on()) return;
  const auto [known, fresh] = states_.try_emplace(name);
  if (!fresh && known->second == details) return;
  known->second = details;
  write(name, details);
}

void EventLog::rect(const std::string& name, ImVec2 lo, ImVec2 hi) {
  see(name, lo, hi);
  if (on()) place(name, lo, hi);
}

void EventLog::place(const std::string& name, ImVec2 lo, ImVec2 hi) {
  const std::string text =
      fmt::format("{:.0f} {:.0f} {:.0f} {:.0f}", lo.x, lo.y, hi.x - lo.x, hi.y - lo.y);
  std::string& known = rects_[name];
  if (known == text) return;
  known = text;
  write("rect", name + " " + text);
}

void EventLog::window(const std::string& name) {
  const ImVec2 lo = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  rect(name, lo, ImVec2(lo.x + size.x, lo.y + size.y));
}

void EventLog::item(const std::string& name) {
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  if (!watch_.empty()) {  // what is scrolled out of a panel is not in view
    const ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 a = list->GetClipRectMin(), b = list->GetClipRectMax();
    see(name, ImVec2(std::max(lo.x, a.x), std::max(lo.y, a.y)),
        ImVec2(std::min(hi.x, b.x), std::min(hi.y, b.y)));
  }
  if (on()) place(name, lo, hi);
}

void EventLog::see(const std::string& name, ImVec2 lo, ImVec2 hi) {
  if (hi.x < lo.x + 4 || hi.y < lo.y + 4) return;
  if (!hasItem(watch_, name)) return;
  seenLo_ = seen_ ? ImVec2(std::min(seenLo_.x, lo.x), std::min(seenLo_.y, lo.y)) : lo;
  seenHi_ = seen_ ? ImVec2(std::max(seenHi_.x, hi.x), std::max(seenHi_.y, hi.y)) : hi;
  seen_ = true;
}

bool EventLog::watched(ImVec2& lo, ImVec2& hi) {
  lo = seenLo_;
  hi = seenHi_;
  return std::exchange(seen_, false);
}

constexpr const char* kRule =
    "Rule: averages begin with sample 32, 64, 128, … after the last change, the first from which "
    "on the first fifth and the last half of every slow quantity agree within three standard "
    "errors (after Geweke 1992) and with samples worth 32 independent ones after it; three tests "
    "in a row decide.";

Average averageOf(const ObservableSeries& s, const std::string& stepName) {
  Average a;
  if (s.info.grows) {
    if (s.samples > 0) a.value = number(s.currentMean, 4);
    a.settled = s.settled;
    a.state = a.settled        ? "last sample"
              : s.samples == 0 ? "no samples yet"
                               : "last sample, equilibrating";
    a.explanation =
        "The last sample. It grows with the run, sums it up, or follows a ramp or a mistake on "
        "purpose: a mean over time says nothing.";
    return a;
  }
  // Without an error nothing says how many digits are known: three, unless it is whole.
  const bool hasError = s.equilibratedError > 0,
             bare = !hasError && s.equilibratedMean != std::floor(s.equilibratedMean);
  const bool provisional = !s.equilibrated && s.hasMean();
  const bool noError = provisional && !(hasError && s.equilibratedErrorKnown);
  if (s.samples > 0)
    a.value =
        noError || (s.equilibrated && bare) ? number(s.equilibratedMean, 3)
        : s.equilibrated || provisional
            ? valueWithError(s.equilibratedMean, s.equilibratedError, s.equilibratedErrorKnown)
            : number(s.value.back(), 4);
  // The state that a run starts from.
  if (s.samples == 0 && s.step.size() == 1 && s.step[0] == 0) a.value = number(s.value[0], 4);
  a.errorKnown = s.samples == 0 || s.equilibratedErrorKnown;
  a.isBound = !a.errorKnown && s.equilibrated && hasError;
  a.settled = s.settled;
  const std::string from = grouped(s.equilibratedFrom);
  a.state = a.settled        ? fmt::format("mean from {} {} on", stepName, from)
            : s.samples == 0 ? std::string("no samples yet")
            : s.equilibrated ? std::string("too few changes to tell the error")
            : noError        ? fmt::format("from {} {} on, no error yet", stepName, from)
            : provisional    ? fmt::format("provisional mean from {} {} on", stepName, from)
                             : std::string("last sample, equilibrating");
  a.explanation =
      a.settled ? fmt::format("Mean from {} {} on, without the approach to equilibrium. {}",
                              stepName, from, kRule)
      : s.equilibrated
          ? fmt::format(
                "Grey: the samples from {} {} on are all equal, or hardly ever change, so that "
                "nothing tells the error of their mean. {}",
                stepName, from, kRule)
          : fmt::format(
                "Grey: {}. The state still changes, or there are too few samples to tell. {}",
                !provisional ? "the last sample"
                : noError    ? "the mean of the later samples; its error is shown once 32 blocks "
                               "long enough to be independent tell it"
                             : "the mean of the later samples with its error from blocks",
                kRule);
  return a;
}

std::string equilibrating(const std::vector<ObservableSeries>& series) {
  const bool isUnderWay = std::ranges::any_of(series, [](const ObservableSeries& s) {
    return (!s.info.grows || s.info.isMean) && s.samples > 0 && !s.equilibrated;
  });
  if (!isUnderWay) return "";
  return fmt::format(
      "Not yet in equilibrium: the state still changes, or there are too few samples to tell. {}",
      kRule);
}

}  // namespace cellscope::gui
