// The observables of molecular dynamics, each with its words and how it follows from a sample. A
// new one is a line in this list.
#pragma once
#include <limits>
#include <vector>

#include "sim/algo/all_pairs/state.h"
#include "sim/api/observable.h"

namespace cellscope::md {

// Sums over a configuration, in Lennard-Jones units.
struct MdSample {
  MdTotals totals;
  double particles = 0, volume = 0;
  double startEnergy = 0;  // per particle: at the start, or since the pair law was changed
  // Of neighbour lists; NaN where there are none.
  double neighbours = std::numeric_limits<double>::quiet_NaN();  // listed per particle
  double builds = std::numeric_limits<double>::quiet_NaN();      // per step, since the start
  double dangerous = std::numeric_limits<double>::quiet_NaN();   // in all

  // K' = K - |p|^2 / (2 N), with p = sum_i v_i (m = 1): without the drift of the centre of mass.
  double thermalKinetic() const { return totals.kinetic - driftEnergy(); }
  // |p|^2 / (2 N): kinetic energy of the drift.
  double driftEnergy() const {
    const MdTotals& t = totals;
    return (t.px * t.px + t.py * t.py + t.pz * t.pz) / (2.0 * particles);
  }
  // T = 2 K' / (3 N - 3): three degrees of freedom belong to the centre of mass.
  double temperature() const { return 2.0 * thermalKinetic() / (3.0 * (particles - 1.0)); }
  double energy() const { return (totals.kinetic + totals.potential) / particles; }
};

struct MdObservable {
  ObservableInfo info;
  double (*value)(const MdSample&);
};

// All there are, in the order of their columns.
const std::vector<MdObservable>& mdObservables();

}  // namespace cellscope::md
