// Published grand-canonical averages of the Lennard-Jones fluid, from
// assets/reference/grand_canonical.toml.
#pragma once
#include <optional>
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

// Vapour and liquid in equilibrium in a box of this size, without published errors.
struct PublishedCoexistence {
  double temperature, vapour, liquid, pressure, lnActivity;  // densities
  std::string source;
};
// Of this very fluid, box and temperature; lnActivity is not asked for.
std::optional<PublishedCoexistence> publishedCoexistence(const GrandCanonicalState& state);

// ln P(N), N = 0, 1, ..., of this very fluid and box, reweighted to the activity and normalised
// over the N from `first` to `last`, with the published error of a point.
struct PublishedLnNumber {
  std::vector<double> lnP;
  double error = 0;
  std::string source;
};
std::optional<PublishedLnNumber> publishedLnNumber(const GrandCanonicalState& state,
                                                   std::size_t first, std::size_t last);

}  // namespace cellscope
