// Pairs in a small box: where the cutoff is more than half the box, a particle interacts with
// several images of another one, and with images of itself. The nearest image and its neighbours
// along each axis, 27 in space and nine in the plane, hold all that are nearer than 1.5 sides of
// the box.
#pragma once
#include <cstdint>

#include "sim/base/box.h"
#include "sim/base/host_device.h"

namespace cellscope {

inline constexpr double kFurthestImage = 1.5;  // sides of the box that a cutoff may be long

// Images along each axis to either side of the nearest one.
struct PairImages {
  std::int32_t flat = 0, deep = 0;  // along x and y; along z

  static PairImages within(double cutoff, const Box& box) {
    if (cutoff <= 0.5 * box.shortest()) return {};
    return {1, box.dimension == 3 ? 1 : 0};
  }
  HOST_DEVICE bool several() const { return flat > 0; }

  // f(dx, dy, dz) for each image, d being the difference to the nearest one. self: of a particle
  // to its own images, d = 0, without the particle itself.
  template <class Real, class F>
  HOST_DEVICE void forEach(Real dx, Real dy, Real dz, Real lengthX, Real lengthY, Real lengthZ,
                           bool self, const F& f) const {
    for (std::int32_t z = -deep; z <= deep; ++z)
      for (std::int32_t y = -flat; y <= flat; ++y)
        for (std::int32_t x = -flat; x <= flat; ++x) {
          if (self && x == 0 && y == 0 && z == 0) continue;
          f(dx + Real(x) * lengthX, dy + Real(y) * lengthY, dz + Real(z) * lengthZ);
        }
  }
};

}  // namespace cellscope
