// The set of the checkerboard (S3, eq. (1)).
#pragma once
#include "sim/layers/colourings/disks/disk.h"

namespace cellscope::layers {

struct DiskSet {
  static ColouringInfo info() {
    return {"set", "Checkerboard set",
            "The set a, b, c, d of the cell that holds the disk (Anderson et al. 2013, eq. 1)."};
  }
  static ColourScale scale(const DiskColourState&) { return setScale("checkerboard set"); }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return static_cast<float>(checkerboardSet(d.cell.x, d.cell.y));
  }
};

}  // namespace cellscope::layers
