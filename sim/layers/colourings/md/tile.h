// The block of threads that computes the forces on a particle.
#pragma once
#include <algorithm>

#include "sim/layers/colourings/md/particle.h"

namespace cellscope::layers {

struct MdTile {
  static ColouringInfo info() {
    return {"tile", "Tile",
            "The block of n_B threads that holds the particle (van Meel et al. 2008, figure 2); "
            "with lists: n_B consecutive particles in memory, which lie along a space-filling "
            "curve; with placeholder cells: the cell."};
  }
  static ColourScale scale(const MdColourState& s) {
    const std::int64_t last = s.cells > 0 ? s.cells - 1 : (s.n - 1) / s.tile;
    ColourScale scale = sequential(s.cells > 0 ? "cell (block)" : "tile (block)", "", 0,
                                   std::max(static_cast<float>(last), 1.0f));
    scale.whole = true;
    return scale;
  }
  HOST_DEVICE static float value(const MdSeen& p) {
    return static_cast<float>(p.at.item / static_cast<std::size_t>(p.from.block));
  }
};

}  // namespace cellscope::layers
