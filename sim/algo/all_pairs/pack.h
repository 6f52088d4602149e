// Particles and velocities as instances to draw.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/all_pairs/state.h"
#include "sim/base/frame_buffer.h"

namespace cellscope {

HOST_DEVICE PointInstance sphereAt(Vec3d r, float diameter, float value, std::uint16_t type) {
  return {static_cast<float>(r.x),
          static_cast<float>(r.y),
          static_cast<float>(r.z),
          diameter,
          value,
          0,
          type};
}
HOST_DEVICE float speedOf(Vec3d v) {
  return static_cast<float>(sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
}

// Spheres of diameter sigma. Value: speed, potential energy, or the number of the tile (S2's
// block).
struct PackPoints {
  const Vec3d* position;
  const Vec3d* velocity;
  const PairSums* sums;
  PointInstance* out;
  MdColour colour;
  std::int32_t tile;

  HOST_DEVICE float value(std::size_t i) const {
    if (colour == MdColour::energy) return static_cast<float>(sums[i].energy);
    if (colour == MdColour::tile) return static_cast<float>(i / static_cast<std::size_t>(tile));
    if (colour != MdColour::speed) return 0.0f;
    return speedOf(velocity[i]);
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    out[i] = sphereAt(position[i], 1.0f, value(i), 0);
  }
};

// Lines from the surface along the velocity, `scale` long per unit of speed. Value: speed.
struct PackVelocities {
  const Vec3d* position;
  const Vec3d* velocity;
  LineInstance* out;
  double scale;

  HOST_DEVICE void operator()(std::size_t i) const {
    const Vec3d r = position[i], v = velocity[i];
    const double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    const double from = speed > 0 ? 0.5 / speed : 0.0, to = speed > 0 ? from + scale : 0.0;
    out[i] = {{static_cast<float>(r.x + from * v.x), static_cast<float>(r.y + from * v.y),
               static_cast<float>(r.z + from * v.z)},
              {static_cast<float>(r.x + to * v.x), static_cast<float>(r.y + to * v.y),
               static_cast<float>(r.z + to * v.z)},
              static_cast<float>(speed),
              0,
              0};
  }
};

}  // namespace cellscope
