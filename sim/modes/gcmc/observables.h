// The observables of grand-canonical Monte Carlo, each with its words and how it follows from a
// sample. A new one is a line in this list, or in that of the method that alone has it; a
// measurement of its own, in a file of its own, asks the engine.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/flight_view.h"
#include "sim/algo/gcmc/state.h"
#include "sim/api/observable.h"

namespace cellscope {
class GcmcEngine;  // sim/algo/gcmc/engine.h
}

namespace cellscope::gcmc {

// A configuration in numbers, in Lennard-Jones units; NaN where nothing was measured.
struct GcmcSample {
  const GcmcEngine* engine = nullptr;  // has the configuration, until the next step
  double particles = 0, volume = 1, temperature = 1;
  int dimension = 3;
  double energy = 0;         // with tail
  double virial = 0;         // sum over pairs of r . f
  double tailPressure = 0;   // p_tail / rho^2, 0 without correction
  double drift = 0;          // running energy minus the recomputed one
  double boltzmann = 0;      // mean of exp(-dU / T) over test points
  GcmcCounters moves;        // since the last sample
  GcmcFlightCounts flights;  // since the last sample

  double density() const { return particles / volume; }
};

// Of counts; `none` of nothing.
inline double shareOf(std::uint64_t part, std::uint64_t all, double none = 0) {
  return all == 0 ? none : static_cast<double>(part) / static_cast<double>(all);
}

struct GcmcObservable {
  ObservableInfo info;
  double (*value)(const GcmcSample&);
};

// All there are, in the order of their columns: those of every method, then those of one alone.
const std::vector<GcmcObservable>& gcmcObservables();

}  // namespace cellscope::gcmc
