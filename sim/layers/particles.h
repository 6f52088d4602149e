// Particles of any mode as spheres or disks, and their velocities as arrows.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/layers/layer.h"
#include "sim/layers/layers.h"
#include "sim/layers/packed.h"

namespace cellscope::layers {

class ParticlesLayer final : public Layer {
 public:
  // types: names of the species, where the layer can show some of them only.
  explicit ParticlesLayer(const std::string& help, std::vector<std::string> types = {})
      : Layer({kParticles,
               "Particles",
               help,
               Primitive::points,
               true,
               LayerGroup::particles,
               types.size() < 2 ? std::vector<LayerOption>{opacityOption()}
                                : std::vector<LayerOption>{opacityOption(), typesOption(types)},
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
               "From the surface of each particle along its velocity; half a sigma long per "
               "sigma/tau.",
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

}  // namespace cellscope::layers
