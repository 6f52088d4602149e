// The observables of molecular dynamics, each with its words and how it follows from a sample. A
// new one is a line in this list.
#pragma once
#include <vector>

#include "sim/algo/all_pairs/state.h"
#include "sim/api/observable.h"

namespace cellscope::md {

// Sums over a configuration, in Lennard-Jones units.
struct MdSample {
  MdTotals totals;
  double particles = 0, volume = 0;
  double startEnergy = 0;  // per particle: at the start, or since the pair law was changed

  double temperature() const { return 2.0 * totals.kinetic / (3.0 * (particles - 1.0)); }
  double energy() const { return (totals.kinetic + totals.potential) / particles; }
};

struct MdObservable {
  ObservableInfo info;
  double (*value)(const MdSample&);
};

// All there are, in the order of their columns.
const std::vector<MdObservable>& mdObservables();

}  // namespace cellscope::md
