// Kernel of the particles of a grand-canonical chain, whose positions are fractions of the box.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/frame_buffer.h"
#include "sim/base/particle_id.h"
#include "sim/core/gcmc_pair.h"

namespace cellscope::layers {

struct PackGcmcParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 4096;

  // By slot, in the memory of the packer.
  const GcmcPoint* point;
  const ParticleId* id;  // null: all have the value 0
  const float* value;    // null: 1 for ids from idBase on, 0 for others
  ParticleId idBase;
  std::size_t n;
  double unit[3];  // length / 2^32; 0 for z in the plane
  PointInstance* out = nullptr;

  std::size_t items() const { return n; }
  std::size_t capacity() const { return n; }
  HOST_DEVICE float valueOf(std::size_t slot) const {
    if (value != nullptr) return value[slot];
    return id != nullptr && id[slot] >= idBase ? 1.0f : 0.0f;
  }
  HOST_DEVICE void operator()(std::size_t slot) const {
    const GcmcPoint p = point[slot];
    out[slot] = {static_cast<float>(p.x * unit[0]),
                 static_cast<float>(p.y * unit[1]),
                 static_cast<float>(p.z * unit[2]),
                 1,
                 valueOf(slot),
                 0,
                 0};
  }
};

}  // namespace cellscope::layers
