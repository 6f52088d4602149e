// Is a run still equilibrating? Tests whether the beginning of the averages of slow observables
// agrees with the rest: J. Geweke, in Bayesian Statistics 4 (Oxford, 1992), p. 169, with the
// variance from the means of eight blocks.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sim/run/runner.h"

namespace cellscope {

// As driftOver(): Student's t of 7 degrees of freedom when nothing drifts.
double driftInErrors(std::span<const double> values);

struct Equilibration {
  std::vector<std::string> drifting;  // labels of observables; empty: no sign of drift
  bool over = false;  // the last half of the samples drifts no more: averages could start over
};
// Of all observables that relax, since their averages began; more than `kDrifts` errors count.
inline constexpr double kDrifts = 5;  // one false alarm in 600 tests
Equilibration equilibrationOf(const std::vector<ObservableSeries>& series);

}  // namespace cellscope
