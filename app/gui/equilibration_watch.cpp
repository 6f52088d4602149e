#include "app/gui/equilibration_watch.h"

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
  const bool bare =
      !(s.equilibratedError > 0) && s.equilibratedMean != std::floor(s.equilibratedMean);
  if (s.samples > 0)
    a.value =
        bare ? number(s.equilibratedMean, 3)
             : valueWithError(s.equilibratedMean, s.equilibratedError, s.equilibratedErrorKnown);
  a.errorKnown = s.samples == 0 || s.equilibratedErrorKnown;
  a.settled = s.settled;
  const std::string from = grouped(s.equilibratedFrom);
  a.state = a.settled        ? fmt::format("mean from {} {} on", stepName, from)
            : s.samples == 0 ? std::string("no samples yet")
            : s.equilibrated ? std::string("too few changes to tell the error")
                             : std::string("equilibrating: not yet a mean");
  a.explanation =
      a.settled ? fmt::format("Mean from {} {} on, without the approach to equilibrium. {}",
                              stepName, from, kRule)
      : s.equilibrated
          ? fmt::format(
                "Grey: the samples from {} {} on are all equal, or hardly ever change, so that "
                "nothing tells the error of their mean. {}",
                stepName, from, kRule)
          : fmt::format("Grey: the state still changes, or there are too few samples to tell. {}",
                        kRule);
  return a;
}

void EquilibrationWatch::look(const std::vector<ObservableSeries>& series) {
  underWay_ = std::any_of(series.begin(), series.end(), [](const ObservableSeries& s) {
    return s.samples > 0 && !s.equilibrated;
  });
}

std::string EquilibrationWatch::words() const {
  if (!underWay_) return "";
  return fmt::format(
      "Not yet in equilibrium: the state still changes, or there are too few samples to "
      "tell. {}",
      kRule);
}

}  // namespace cellscope::gui
