// Integer coordinates of the tuned pair passes: 2^32 steps across the box. Their difference wraps
// by itself, which is the minimum image, exactly antisymmetric, and finer than a float: L 2^-32.
#pragma once
#include <cstdint>

#include "sim/base/box.h"
#include "sim/base/host_device.h"
#include "sim/base/vec.h"
#include "sim/core/assert.h"

namespace cellscope {

inline constexpr double kLatticeSteps = 4294967296.0;

// Side of the box of the tuned passes, which have one unit of length for all axes: a cube, or a
// square, in which z is 0.
inline double sideOfCube(const Box& box) {
  CELLSCOPE_ASSERT(box == cubicBox(box.length[0]) || box == squareBox(box.length[0]));
  return box.length[0];
}

struct alignas(16) LatticePosition {
  std::int32_t x, y, z;
  std::uint32_t type;
};

// Coordinate c in [0, L); steps = 2^32 / L.
HOST_DEVICE std::int32_t latticePosition(double c, double steps) {
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(c * steps + 0.5)));
}
HOST_DEVICE LatticePosition latticePosition(Vec3d r, double steps, std::uint32_t type = 0) {
  return {latticePosition(r.x, steps), latticePosition(r.y, steps), latticePosition(r.z, steps),
          type};
}
// Signed difference a - b to the nearest image, in lattice steps.
HOST_DEVICE std::int32_t latticeDifference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

}  // namespace cellscope
