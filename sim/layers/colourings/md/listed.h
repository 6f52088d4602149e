// Length of the neighbour list, or number of others within the cutoff.
#pragma once
#include <cmath>
#include <numbers>

#include "sim/layers/colourings/md/particle.h"

namespace cellscope::layers {

struct MdListed {
  static constexpr std::uint32_t kNeeds = kMdNeighbours;
  static ColouringInfo info() {
    return {"neighbours", "Neighbours",
            "Length of each particle's neighbour list: all within cutoff and buffer when it was "
            "built. With methods without lists: others within the cutoff now, each once."};
  }
  static std::string missing(const MdColourState& s) {
    using Lists = MdColourState::Lists;
    return s.lists == Lists::complete || s.lists == Lists::unused ? "" : "lists are not complete";
  }
  // About the mean in a uniform fluid of the first species.
  static ColourScale scale(const MdColourState& s) {
    const bool listed = s.lists == MdColourState::Lists::complete;
    const double r = s.cutoff + (listed ? s.buffer : 0), rho = s.density;
    const auto mean =
        static_cast<float>(s.dimension == 3 ? 4.0 / 3.0 * std::numbers::pi * rho * r * r * r
                                            : std::numbers::pi * rho * r * r);
    ColourScale scale = sequential(listed ? "neighbours in the list" : "within the cutoff", "",
                                   std::floor(0.5f * mean), std::ceil(1.5f * mean) + 1);
    scale.whole = true;
    return scale;
  }
  HOST_DEVICE static float value(const MdSeen& p) {
    return static_cast<float>(p.from.listed[p.at.number]);
  }
};

}  // namespace cellscope::layers
