// Published grand-canonical averages of the Lennard-Jones fluid, from
// assets/reference/grand_canonical.toml.
#pragma once
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope {

struct GrandCanonicalState {
  double temperature, lnActivity, length, cutoff;
  bool tail;
};

struct GrandCanonicalAverages {
  GrandCanonicalState at;
  double particles, energy, pressure;  // energy: total
};

// Data of the current asset folder; read once. Throws InputError naming what is wrong.
const std::vector<GrandCanonicalAverages>& grandCanonicalData();

// "particles", "density", "energy", "total_energy" and "pressure" of this very state; empty where
// nothing is published.
std::vector<ReferenceValue> gcmcReferences(const GrandCanonicalState& state);

}  // namespace cellscope
