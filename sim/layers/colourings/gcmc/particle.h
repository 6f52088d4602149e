// What colourings of grand-canonical Monte Carlo know: the run as it is now, and one particle as
// the kernel sees it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/particle_id.h"
#include "sim/layers/colouring.h"

namespace cellscope::layers {

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

}  // namespace cellscope::layers
