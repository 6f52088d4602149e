// Energies of single particles.
#pragma once
#include <cstddef>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/core/gcmc_pair.h"

namespace cellscope::gcmc {

// Energy of each of these particles, which are in the engine's state, with all others; without
// tail.
inline std::vector<double> energiesWithOthers(const GcmcEngine& engine,
                                              const std::vector<GcmcPoint>& points,
                                              const GcmcRules& rules) {
  std::vector<double> energy = engine.energiesAt(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    energy[i] -= gcmcPairAt(rules.pair, points[i], points[i]);
  return energy;
}

// The same to be drawn.
inline std::vector<float> valuesOfEnergies(const GcmcEngine& engine,
                                           const std::vector<GcmcPoint>& points,
                                           const GcmcRules& rules) {
  const std::vector<double> energy = energiesWithOthers(engine, points, rules);
  return {energy.begin(), energy.end()};
}

}  // namespace cellscope::gcmc
