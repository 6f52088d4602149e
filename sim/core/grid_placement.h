// Where a moving grid lies in its box.
#pragma once
#include "sim/base/host_device.h"

namespace cellscope {

// The picture stays fixed while the grid moves: the origin of cell (0, 0) is the sum of all cell
// shifts, modulo L. All values are multiples of q below 2^40 q, so that every operation in double
// is exact.
struct GridPlacement {
  double originX = 0, originY = 0;  // in [0, L)
  double w = 1, length = 4;

  HOST_DEVICE double wrap(double v) const { return v >= length ? v - length : v; }
  HOST_DEVICE double globalX(int x, float local) const {
    return wrap(wrap(static_cast<double>(x) * w + static_cast<double>(local)) + originX);
  }
  HOST_DEVICE double globalY(int y, float local) const {
    return wrap(wrap(static_cast<double>(y) * w + static_cast<double>(local)) + originY);
  }
};

}  // namespace cellscope
