// Magnitude of psi6.
#pragma once
#include <cmath>

#include "sim/layers/colourings/disks/disk.h"

namespace cellscope::layers {

struct DiskLocalOrder {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"psi6", "Local order",
            "Magnitude of psi6 of each disk: 1 if its neighbours form a perfect hexagon."};
  }
  static ColourScale scale(const DiskColourState& s) {
    return sequential("|psi6|, " + s.neighbours, "", 0, 1);
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    const Vec2 psi = d.psi6[d.slot];
    return sqrtf(psi.x * psi.x + psi.y * psi.y);
  }
};

}  // namespace cellscope::layers
