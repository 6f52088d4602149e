// Integer coordinates of the tuned pair passes: 2^32 steps along each side of the box. Their
// difference wraps by itself, which is the minimum image, exactly antisymmetric, and finer than a
// float: L 2^-32.
#pragma once
#include <cstdint>

#include "sim/base/box.h"
#include "sim/base/host_device.h"
#include "sim/base/vec.h"

namespace cellscope {

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
