// The observables of molecular dynamics, each with its words and how it follows from a sample. A
// new one is a line in the list; what it measures that is not among the sums over particles
// (sim/algo/md/samples.h) is added to those.
#pragma once
#include <limits>
#include <vector>

#include "sim/algo/md/samples.h"
#include "sim/api/observable.h"

namespace cellscope::md {

// Sums over a configuration, in Lennard-Jones units.
struct MdSample {
  MdSums totals;
  // Mean square displacement; NaN: not measured.
  double msd = std::numeric_limits<double>::quiet_NaN();
  double particles = 0, volume = 0, mass = 0;
  int dimension = 3;
  double tailEnergy = 0, tailPressure = 0;  // per particle; 0 without the correction
  // Conserved energy per particle at the start, or when the pair law was changed last; NaN: none.
  double startEnergy = 0;
  double sinceStart = 0;  // tau
  double heat = 0;        // taken from the bath since then
  double work = 0;        // done on the fluid by changes of its volume since then
  // Of neighbour lists; NaN where there are none.
  double neighbours = std::numeric_limits<double>::quiet_NaN();  // listed per particle
  double builds = std::numeric_limits<double>::quiet_NaN();      // per step, since the start
  double dangerous = std::numeric_limits<double>::quiet_NaN();   // in all
  double listFill = std::numeric_limits<double>::quiet_NaN();    // computed pairs within the cutoff
  // Of the trees of the last build; NaN where there are none.
  double treeDepth = std::numeric_limits<double>::quiet_NaN();
  double treeOverlap = std::numeric_limits<double>::quiet_NaN();
  double treeCost = std::numeric_limits<double>::quiet_NaN();

  // K' = K - |p|^2 / (2 M), p = sum_i m_i v_i, M = sum_i m_i: without the drift of the centre of
  // mass.
  double thermalKinetic() const { return totals.kinetic - driftEnergy(); }
  // |p|^2 / (2 M): kinetic energy of the drift.
  double driftEnergy() const {
    const MdSums& t = totals;
    return (t.px * t.px + t.py * t.py + t.pz * t.pz) / (2.0 * mass);
  }
  // T = 2 K' / (d (N - 1)): d degrees of freedom belong to the centre of mass.
  double temperature() const { return 2.0 * thermalKinetic() / (dimension * (particles - 1.0)); }
  double energy() const { return (totals.kinetic + totals.potential) / particles + tailEnergy; }
  double conserved() const { return energy() - (heat + work) / particles; }
  double pressure() const {
    return (2.0 * thermalKinetic() + totals.virial) / (dimension * volume) + tailPressure;
  }
  double density() const { return particles / volume; }
};

struct MdObservable {
  ObservableInfo info;
  double (*value)(const MdSample&);
};

// All there are, in the order of their columns.
const std::vector<MdObservable>& mdObservables();

}  // namespace cellscope::md
