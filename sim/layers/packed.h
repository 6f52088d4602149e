// Particles and velocities as an engine packed them, and lines to the neighbours of a particle.
#pragma once
#include <optional>
#include <string>
#include <utility>

#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// The instances that an engine packed, or why there are none.
inline LayerData layerOf(const LayerInfo& info, const std::optional<LayerData>& packed,
                         const std::string& reason) {
  if (!packed) return nothing(info, reason);
  LayerData layer = *packed;
  layer.key = info.key;
  layer.primitive = info.primitive;
  return layer;
}

class ParticlesLayer final : public Layer {
 public:
  explicit ParticlesLayer(const std::string& help)
      : Layer({kParticles,
               "Particles",
               help,
               Primitive::points,
               true,
               LayerGroup::particles,
               {opacityOption()},
               {{kPicked, "picked particle"}}},
              bit(Need::particles)) {}
  void draw(const Structures& from, Canvas& to) const override {
    to.add(layerOf(info(), from.packed, "there are no particles"));
  }
};

class VelocitiesLayer final : public Layer {
 public:
  VelocitiesLayer()
      : Layer({kVelocities,
               "Velocities",
               "From each centre along the velocity; half a sigma long per sigma/tau.",
               Primitive::lines,
               false,
               LayerGroup::particles,
               {opacityOption()},
               {}},
              bit(Need::velocities)) {}
  void draw(const Structures& from, Canvas& to) const override {
    LayerData layer = layerOf(info(), from.velocities, "the particles have no velocities");
    layer.scale.marks = {Mark::arrow};
    to.add(std::move(layer));
  }
};

class NeighboursLayer final : public Layer {
 public:
  NeighboursLayer()
      : Layer({kNeighbours,
               "Neighbours",
               "Lines from the picked particle to all within the cutoff, to their nearest images.",
               Primitive::lines,
               true,
               LayerGroup::picked,
               {opacityOption()},
               {}},
              bit(Need::neighbours)) {}
  void draw(const Structures& from, Canvas& to) const override {
    to.add(layerOf(info(), from.neighbours, "no particle is picked: click one"));
  }
};

}  // namespace cellscope::layers
