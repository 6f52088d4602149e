// Potential energy.
#pragma once
#include <algorithm>

#include "sim/layers/colourings/md/particle.h"

namespace cellscope::layers {

struct MdEnergy {
  static constexpr std::uint32_t kNeeds = kMdEnergies;
  static ColouringInfo info() {
    return {"energy", "Potential energy",
            "Half the energy of all pairs that a particle is part of."};
  }
  static std::string missing(const MdColourState& s) {
    return s.lists == MdColourState::Lists::beingBuilt ? "energies come with the list" : "";
  }
  // The mean energy is about -5.5 epsilon times the density; the liquid's particles scatter by one
  // epsilon about it.
  static ColourScale scale(const MdColourState& s) {
    const auto mean = static_cast<float>(-5.5 * s.density);
    return sequential("potential energy", "epsilon", mean - 2.5f, std::min(0.0f, mean + 2.5f));
  }
  HOST_DEVICE static float value(const MdSeen& p) { return p.from.energyOf(p.at.number); }
};

}  // namespace cellscope::layers
