#include "app/gui/settling_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"

namespace cellscope::gui {
namespace {

constexpr const char* kRule =
    "Rule: averages begin with sample 0, 32, 64, 128, … after the last change, the first from "
    "which "
    "on the first fifth and the last half of every slow quantity agree within three standard "
    "errors "
    "(after Geweke 1992).";

}  // namespace

Average averageOf(const ObservableSeries& s, const std::string& stepName) {
  Average a;
  // Without an error nothing says how many digits of a mean are known: three, unless it is whole.
  const bool bare = !(s.settledError > 0) && s.settledMean != std::floor(s.settledMean);
  if (s.samples > 0)
    a.value = bare ? number(s.settledMean, 3)
                   : valueWithError(s.settledMean, s.settledError, s.settledErrorKnown);
  a.errorKnown = s.samples == 0 || s.settledErrorKnown;
  a.settled = s.settled;
  const std::string from = grouped(s.settledFrom);
  a.state = s.settled ? fmt::format("mean from {} {} on", stepName, from)
                      : std::string("equilibrating: not yet a mean");
  a.explanation =
      s.settled
          ? fmt::format("Mean from {} {} on, without the approach to equilibrium. {}", stepName,
                        from, kRule)
          : fmt::format("Grey: the state still changes, or there are too few samples to tell. {}",
                        kRule);
  return a;
}

void SettlingWatch::look(const std::vector<ObservableSeries>& series) {
  settling_ = std::any_of(series.begin(), series.end(),
                          [](const ObservableSeries& s) { return s.samples > 0 && !s.settled; });
}

std::string SettlingWatch::words() const {
  if (!settling_) return "";
  return fmt::format(
      "Not yet in equilibrium: the state still changes, or there are too few samples to "
      "tell. {}",
      kRule);
}

}  // namespace cellscope::gui
