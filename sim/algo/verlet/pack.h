// Particles of the engine with Verlet lists as instances to draw.
#pragma once
#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/verlet/step_kernels.h"
#include "sim/base/frame_buffer.h"

namespace cellscope {

// Spheres of the diameter of their type. Value: speed, potential energy, or the number of the block
// of `block` particles in the order of storage.
struct PackVerletPoints {
  const Vec3d *position, *velocity;
  const ParticleRecord* record;
  const Vec2* terms;
  PointInstance* out;
  MdColour colour;
  std::int32_t block;
  float diameter[kMostTypes];

  HOST_DEVICE float value(std::size_t i) const {
    if (colour == MdColour::energy) return terms[i].x;
    if (colour == MdColour::tile) return static_cast<float>(i / static_cast<std::size_t>(block));
    if (colour == MdColour::plain) return 0.0f;
    const Vec3d v = velocity[i];
    return static_cast<float>(sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    const Vec3d r = position[i];
    out[i] = {static_cast<float>(r.x),
              static_cast<float>(r.y),
              static_cast<float>(r.z),
              diameter[record[i].type],
              value(i),
              0,
              0};
  }
};

}  // namespace cellscope
