// Kernel of the particles of a grand-canonical chain, whose positions are fractions of the box.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/frame_buffer.h"
#include "sim/base/particle_id.h"
#include "sim/core/gcmc_pair.h"
#include "sim/layers/colourings/gcmc.h"

namespace cellscope::layers {

struct PackGcmcParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles";
  static constexpr int kGrain = 4096;

  // By slot, in the memory of the packer.
  const GcmcPoint* point;
  const ParticleId* id;
  const float* energy;  // null unless the colouring needs it
  ParticleId idBase;
  std::int32_t colouring;  // index in GcmcColourings
  std::size_t n;
  double unit[3];  // length / 2^32; 0 for z in the plane
  PointInstance* out = nullptr;

  std::size_t items() const { return n; }
  std::size_t capacity() const { return n; }
  HOST_DEVICE void operator()(std::size_t slot) const {
    const GcmcPoint p = point[slot];
    out[slot] = {static_cast<float>(p.x * unit[0]),
                 static_cast<float>(p.y * unit[1]),
                 static_cast<float>(p.z * unit[2]),
                 1,
                 GcmcColourings::value(colouring, GcmcSeen{id, energy, idBase, slot, slot}),
                 0,
                 0};
  }
};

}  // namespace cellscope::layers
