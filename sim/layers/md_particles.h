// Particles of molecular dynamics where their engine keeps them, and their velocities.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/api/frame.h"
#include "sim/base/vec.h"
#include "sim/layers/colourings/md.h"

namespace cellscope::layers {

// Spheres of the diameter of their species, by number.
struct PackMdParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 1024;

  ParticlesLent from;
  std::int32_t colouring;  // index in MdColourings
  PointInstance* out = nullptr;

  std::size_t items() const { return from.items(); }
  std::size_t capacity() const { return from.n; }
  HOST_DEVICE void operator()(std::size_t item) const {
    LentParticle p;
    if (!from.at(item, p)) return;
    const Vec3d r = from.position[p.number];
    out[p.number] = {static_cast<float>(r.x),
                     static_cast<float>(r.y),
                     static_cast<float>(r.z),
                     from.diameter[p.type],
                     MdColourings::value(colouring, MdSeen{from, p}),
                     0,
                     static_cast<std::uint16_t>(p.type)};
  }
};

// From the surface of a particle along its velocity, `length` long per unit of speed. Value: speed.
HOST_DEVICE LineInstance arrowAlong(Vec3d r, Vec3d v, float diameter, double length,
                                    std::int16_t level, std::uint32_t type) {
  const double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  const double radius = 0.5 * static_cast<double>(diameter);
  const double from = speed > 0 ? radius / speed : 0.0, to = speed > 0 ? from + length : 0.0;
  return {{static_cast<float>(r.x + from * v.x), static_cast<float>(r.y + from * v.y),
           static_cast<float>(r.z + from * v.z)},
          {static_cast<float>(r.x + to * v.x), static_cast<float>(r.y + to * v.y),
           static_cast<float>(r.z + to * v.z)},
          static_cast<float>(speed),
          level,
          static_cast<std::uint16_t>(type)};
}

// Arrows along their velocities.
struct PackMdArrows {
  using Instance = LineInstance;
  static constexpr const char* kName = "pack velocities";
  static constexpr int kGrain = 1024;

  ParticlesLent from;
  double length;  // per unit of speed
  LineInstance* out = nullptr;

  std::size_t items() const { return from.n; }
  std::size_t capacity() const { return from.n; }
  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t type = from.record ? from.record[i].type : 0u;
    out[i] = arrowAlong(from.position[i], from.velocity[i], from.diameter[type], length, 0, type);
  }
};

}  // namespace cellscope::layers
