// Drift of an average.
#pragma once
#include <string>
#include <vector>

#include "sim/run/session.h"

namespace cellscope::reproduce {

// The series of an observable that the mode declares.
const ObservableSeries& seriesOf(const std::vector<ObservableSeries>& all, const std::string& id);

// Second minus first half of an average, in combined errors estimated from the second half (a drift
// would increase those of the whole run and of the first half); 0 below 32 samples.
double driftOf(const ObservableSeries& series);

}  // namespace cellscope::reproduce
