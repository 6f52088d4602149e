// The colourings of grand-canonical Monte Carlo; the first is the default.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/base/particle_id.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

// What colourings of grand-canonical Monte Carlo know: the run as it is now, and one particle as
// the kernel sees it.

inline constexpr std::uint32_t kGcmcEnergies = 1;  // of ChosenColouring::needs

struct GcmcColourState {
  double density = 0;
  int dimension = 3;
  bool manyChains = false;  // of different densities, side by side: one range for all
};

struct GcmcSeen {
  const ParticleId* id;
  const float* energy;      // with all others; null unless the colouring needs it
  ParticleId idBase;        // particles inserted during the run have ids from this on
  std::size_t slot, drawn;  // of this particle: index into ids, and into energies
};

// Whether a particle was inserted during the run.
struct GcmcOrigin {
  static ColouringInfo info() {
    return {"origin", "Origin", "Particles from the start, and those inserted since."};
  }
  static ColourScale scale(const GcmcColourState&) {
    return categories("particles", {"from the start", "inserted"});
  }
  HOST_DEVICE static float value(const GcmcSeen& p) {
    return p.id[p.slot] >= p.idBase ? 1.0f : 0.0f;
  }
};

// Energy with all other particles.
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

using GcmcColourings = ColouringList<GcmcOrigin, GcmcEnergy, PlainParticles>;

}  // namespace cellscope::layers
