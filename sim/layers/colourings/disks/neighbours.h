// Number of neighbours.
#pragma once
#include "sim/layers/colourings/disks/disk.h"

namespace cellscope::layers {

struct DiskNeighbours {
  static constexpr std::uint32_t kNeeds = kBondOrder;
  static ColouringInfo info() {
    return {"neighbours", "Neighbours",
            "Number of neighbours; a value other than six is a defect."};
  }
  static ColourScale scale(const DiskColourState& s) {
    return categories(s.neighbours, {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9 or more"});
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return static_cast<float>(d.neighbours[d.slot] < 9 ? d.neighbours[d.slot] : 9);
  }
};

}  // namespace cellscope::layers
