// Sums over the particles of one configuration, of which totals and samples have more.
#pragma once
#include "sim/base/host_device.h"

namespace cellscope {

struct StateSums {
  double kinetic = 0, potential = 0, virial = 0;
  double px = 0, py = 0, pz = 0;  // momentum
};
HOST_DEVICE StateSums operator+(const StateSums& a, const StateSums& b) {
  return {a.kinetic + b.kinetic, a.potential + b.potential,
          a.virial + b.virial,   a.px + b.px,
          a.py + b.py,           a.pz + b.pz};
}

}  // namespace cellscope
