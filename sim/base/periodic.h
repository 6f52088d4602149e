// Periodic boundaries of a cubic box, one axis at a time.
#pragma once
#include "sim/base/host_device.h"

namespace cellscope {

template <class Real>
HOST_DEVICE Real select(bool condition, Real yes, Real no) {
  return condition ? yes : no;
}

// Difference of two coordinates in [0, length], to the nearest image. Exactly antisymmetric, so
// that a pair of particles sees opposite vectors. Needs no rounding function.
template <class Real>
HOST_DEVICE Real minimumImage(Real difference, Real length) {
  const Real half = Real(0.5) * length;
  return select(difference > half, difference - length,
                select(difference < -half, difference + length, difference));
}

// Coordinate moved into [0, length); right for any finite x within one box length of the box.
HOST_DEVICE double wrapped(double x, double length) {
  const double up = x < 0 ? x + length : x;
  const double down = up >= length ? up - length : up;
  return down < length ? (down < 0 ? 0.0 : down) : 0.0;
}

}  // namespace cellscope
