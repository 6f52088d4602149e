// Many systems of one size side by side: a frame and a label for each, and the kernel of their
// particles.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/frame_buffer.h"
#include "sim/base/particle_id.h"
#include "sim/core/gcmc_pair.h"
#include "sim/layers/colourings/gcmc.h"
#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Particles of a grand-canonical chain, and where its box stands.
struct ReplicaTile {
  const GcmcPoint* point;
  const ParticleId* id;
  ParticleId idBase;
  std::uint32_t first;  // instances before those of this tile
  float corner[3];
};

// Instances of all tiles, one after the other, by slot in each.
struct PackReplicaParticles {
  using Instance = PointInstance;
  static constexpr const char* kName = "pack particles of replicas";
  static constexpr int kGrain = 4096;

  const ReplicaTile* tile;  // in the memory of the packer, as what they name
  std::uint32_t tiles;      // at least 1
  const float* energy;      // by instance; null unless the colouring needs it
  std::int32_t colouring;   // index in GcmcColourings
  std::size_t n;            // instances
  double unit[3];           // length / 2^32; 0 for z in the plane
  PointInstance* out = nullptr;

  std::size_t items() const { return n; }
  std::size_t capacity() const { return n; }
  // The last tile that begins at or before instance i.
  HOST_DEVICE std::uint32_t tileOf(std::size_t i) const {
    std::uint32_t low = 0, high = tiles;
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      if (tile[middle].first <= i)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    const ReplicaTile& t = tile[tileOf(i)];
    const std::size_t slot = i - t.first;
    const GcmcPoint p = t.point[slot];
    const GcmcSeen seen{t.id, energy, t.idBase, slot, i};
    out[i] = {t.corner[0] + static_cast<float>(p.x * unit[0]),
              t.corner[1] + static_cast<float>(p.y * unit[1]),
              t.corner[2] + static_cast<float>(p.z * unit[2]),
              1,
              GcmcColourings::value(colouring, seen),
              0,
              0};
  }
};

class ReplicasLayer final : public Layer {
 public:
  ReplicasLayer()
      : Layer(kReplicas, "Replicas",
              "The boxes of all replicas side by side in place of the chain, each with its "
              "chemical potential, temperature, seed or window of N, and the number of particles "
              "that it has now. At most 64, evenly along their range. Click a box or a particle to "
              "read more of that replica.",
              Primitive::boxes, false, LayerGroup::particles, bit(Need::replicas),
              {opacityOption()}, {{kReplicaLabels, "names"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.replicas)
      return to.add(nothing(info(), "there are no replicas: set their number above 0"));
    const Sketch& s = *from.replicas;
    to.add(layerOf(info().key, Primitive::boxes, s.boxes, s.boxScale));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    if (from.replicas)
      to.add(layerOf(kReplicaLabels, Primitive::labels, from.replicas->labels,
                     labelScale("replicas")));
  }
};

}  // namespace cellscope::layers
