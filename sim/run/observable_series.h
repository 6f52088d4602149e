// What is remembered of one observable.
#pragma once
#include <cstdint>

#include "sim/api/observable.h"
#include "sim/run/shared_column.h"

namespace cellscope {

// History and running average of one observable since the averages last started over.
struct ObservableSeries {
  ObservableInfo info;
  SharedColumn step, value;      // decimated history, oldest first; includes earlier epochs
  SharedColumn mean, error;      // equilibrated mean at that time and its standard error, per point
  std::uint64_t epochStart = 0;  // step at which the current averages started
  double currentMean = 0, currentError = 0;
  bool errorKnown = false;    // otherwise too few samples to know the error: rather a lower bound
  std::uint64_t samples = 0;  // in the current averages
  // The same without the approach to equilibrium (sim/algo/observables/equilibrated_average.h).
  double equilibratedMean = 0, equilibratedError = 0;
  bool equilibratedErrorKnown = false;
  bool equilibrated = false;           // otherwise the run drifts, or is too short to tell
  bool settled = false;                // besides, the samples scatter: the mean is a result
  std::uint64_t equilibratedFrom = 0;  // the first step of the equilibrated averages
  std::uint64_t leftOut = 0;           // samples before it, since epochStart
  std::uint64_t equilibratedSamples = 0;
};

}  // namespace cellscope
