// Packing fraction around each disk.
#pragma once
#include <algorithm>

#include "sim/layers/colourings/disks/disk.h"

namespace cellscope::layers {

struct DiskLocalPacking {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"density", "Local packing",
            "Local packing fraction: area of a disk divided by the area per disk around it."};
  }
  static ColourScale scale(const DiskColourState& s) {
    const auto phi = static_cast<float>(s.packing);
    return sequential("local packing fraction, " + s.neighbours, "", std::max(0.0f, phi - 0.15f),
                      std::min(1.0f, phi + 0.15f));
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return d.density[d.slot] * 0.78539816f;  // rho pi / 4
  }
};

}  // namespace cellscope::layers
