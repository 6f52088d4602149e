// Phase of psi6.
#pragma once
#include <cmath>

#include "sim/layers/colourings/disks/disk.h"

namespace cellscope::layers {

struct DiskOrientation {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"psi6_phase", "Orientation",
            "Phase of psi6 of each disk: the orientation of the hexagon of its neighbours, on a "
            "hue wheel."};
  }
  static ColourScale scale(const DiskColourState& s) {
    return phaseScale("orientation of neighbours, arg psi6, " + s.neighbours);
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return atan2f(d.psi6[d.slot].y, d.psi6[d.slot].x);
  }
};

}  // namespace cellscope::layers
