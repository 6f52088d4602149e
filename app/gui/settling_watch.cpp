#include "app/gui/settling_watch.h"

#include <algorithm>

namespace cellscope::gui {
namespace {

constexpr double kLonger = 1.2;  // times as many samples before the next test

}  // namespace

void SettlingWatch::look(const std::vector<ObservableSeries>& series) {
  std::uint64_t samples = 0, epoch = 0;
  for (const ObservableSeries& s : series) {
    samples = std::max(samples, s.samples);
    epoch = s.epochStart;
  }
  if (epoch != epoch_ || samples < samples_) next_ = 0;
  epoch_ = epoch;
  samples_ = samples;
  if (samples < next_) return;
  next_ = static_cast<std::uint64_t>(kLonger * static_cast<double>(samples)) + 1;
  state_ = settlingOf(series);
}

std::string SettlingWatch::words() const {
  if (!settling()) return "";
  std::string names;
  for (std::size_t i = 0; i < state_.drifting.size(); ++i)
    names += (i == 0 ? "" : i + 1 < state_.drifting.size() ? ", " : " and ") + state_.drifting[i];
  return "The averages include the equilibration: " + names +
         ": the first part differs from the last half by more than five standard errors. " +
         (state_.over
              ? "The last half no longer drifts: press Reset averages to discard the beginning."
              : "The last half still drifts: wait, then press Reset averages.");
}

}  // namespace cellscope::gui
