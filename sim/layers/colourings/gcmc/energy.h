// Energy with all other particles.
#pragma once
#include <algorithm>
#include <cmath>

#include "sim/layers/colourings/gcmc/particle.h"

namespace cellscope::layers {

struct GcmcEnergy {
  static constexpr std::uint32_t kNeeds = kGcmcEnergies;
  static ColouringInfo info() {
    return {"energy", "Energy", "Energy of each particle with all others, without the tail."};
  }
  static ColourScale scale(const GcmcColourState& s) {
    constexpr const char* kTitle = "energy with all others";
    if (s.manyChains) return sequential(kTitle, "epsilon", -14, 0);
    // In steps, so that colours do not flicker with the density.
    const double perDensity = s.dimension == 3 ? -6.75 : -3.25;
    const double mean = 2 * std::round(perDensity * std::min(s.density, 1.0));
    return sequential(kTitle, "epsilon", static_cast<float>(mean - 5),
                      static_cast<float>(std::min(mean + 5, 0.5)));
  }
  HOST_DEVICE static float value(const GcmcSeen& p) { return p.energy[p.drawn]; }
};

}  // namespace cellscope::layers
