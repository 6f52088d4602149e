// Pairs in a small box: where the cutoff is more than half the box, a particle interacts with
// several images of another one, and with images of itself. The nearest image and its neighbours
// along each axis, 27 in space and nine in the plane, hold all that are nearer than 1.5 sides of
// the box.
#pragma once
#include <cstdint>

#include "sim/base/box.h"

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

// Integer coordinates of the tuned pair passes: 2^32 steps along each side of the box. Their
// difference wraps by itself, which is the minimum image, exactly antisymmetric, and finer than a
// float: L 2^-32.
inline constexpr double kLatticeSteps = 4294967296.0;

struct alignas(16) LatticePosition {
  std::int32_t x, y, z;
  std::uint32_t type;
};

// Coordinate c in [0, L); steps = 2^32 / L.
HOST_DEVICE std::int32_t latticePosition(double c, double steps) {
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(c * steps + 0.5)));
}
HOST_DEVICE LatticePosition latticePosition(Vec3d r, Vec3d steps, std::uint32_t type = 0) {
  return {latticePosition(r.x, steps.x), latticePosition(r.y, steps.y),
          latticePosition(r.z, steps.z), type};
}
inline Vec3d latticeSteps(const Box& box) {
  return {kLatticeSteps / box.length[0], kLatticeSteps / box.length[1],
          kLatticeSteps / box.length[2]};
}
// Length of a step along each axis.
inline Vec3 latticeUnit(const Box& box) {
  const auto unit = [&](int axis) { return static_cast<float>(box.length[axis] / kLatticeSteps); };
  return {unit(0), unit(1), unit(2)};
}
// Signed difference a - b to the nearest image, in lattice steps.
HOST_DEVICE std::int32_t latticeDifference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

}  // namespace cellscope
