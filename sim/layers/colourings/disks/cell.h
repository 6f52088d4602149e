// The cell of the checkerboard grid.
#pragma once
#include "sim/layers/colourings/disks/disk.h"

namespace cellscope::layers {

struct DiskCell {
  static ColouringInfo info() {
    return {"cell", "Cell", "Cell of each disk, in nine repeating colours."};
  }
  static ColourScale scale(const DiskColourState&) {
    return categories("cell (x mod 3, y mod 3)",
                      {"0 0", "1 0", "2 0", "0 1", "1 1", "2 1", "0 2", "1 2", "2 2"});
  }
  HOST_DEVICE static float value(const DiskSeen& d) {
    return static_cast<float>(d.cell.x % 3 + 3 * (d.cell.y % 3));
  }
};

}  // namespace cellscope::layers
