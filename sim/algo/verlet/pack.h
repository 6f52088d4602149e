// Particles of the engine with Verlet lists as instances to draw.
#pragma once
#include <cmath>

#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/all_pairs/pack.h"
#include "sim/algo/verlet/step_kernels.h"
#include "sim/base/frame_buffer.h"

namespace cellscope {

// Spheres of the diameter of their type. Value: speed, potential energy, the number of the block of
// `block` particles in the order of storage, type, length of the list, or how far the particle has
// moved since the list was built.
struct PackVerletPoints {
  const Vec3d *position, *velocity;
  const ParticleRecord* record;
  const Vec2* terms;
  PointInstance* out;
  MdColour colour;
  std::int32_t block;
  float diameter[kMostTypes];
  const std::uint32_t* listed;
  const ParticleRecord* built;
  RecordBox box;

  HOST_DEVICE float value(std::size_t i) const {
    if (colour == MdColour::energy) return terms[i].x;
    if (colour == MdColour::tile) return static_cast<float>(i / static_cast<std::size_t>(block));
    if (colour == MdColour::plain) return 0.0f;
    if (colour == MdColour::type) return static_cast<float>(record[i].type);
    if (colour == MdColour::neighbours) return static_cast<float>(listed[i]);
    if (colour == MdColour::displacement) return sqrtf(box.distanceSquared(record[i], built[i]));
    return speedOf(velocity[i]);
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t type = record[i].type;
    out[i] = sphereAt(position[i], diameter[type], value(i), static_cast<std::uint16_t>(type));
  }
};

}  // namespace cellscope
