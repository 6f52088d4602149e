// Layers of the Gibbs ensemble: particles, and the two boxes that they are in.
#pragma once
#include "sim/layers/gcmc_work.h"
#include "sim/layers/particles.h"

namespace cellscope::layers {

// Draws what Structures::replicas holds: frames and names of boxes side by side.
class GibbsBoxesLayer final : public Layer {
 public:
  GibbsBoxesLayer()
      : Layer(kBox, "Boxes",
              "The two periodic boxes as large as they are now, with the number of particles and "
              "the density of each.",
              Primitive::boxes, true, LayerGroup::cells, bit(Need::replicas), {opacityOption()},
              {{kReplicaLabels, "names"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    to.add(layerOf(info().key, Primitive::boxes, from.replicas->boxes, from.replicas->boxScale));
  }
  void drawOver(const Structures& from, Canvas& to) const override {
    to.add(layerOf(kReplicaLabels, Primitive::labels, from.replicas->labels, labelScale("boxes")));
  }
};

inline const LayerList& gibbsLayers() {
  static const ParticlesLayer particles("Spheres or disks of diameter sigma.");
  static const GibbsBoxesLayer boxes;
  static const LayerList all = {&particles, &boxes};
  return all;
}

}  // namespace cellscope::layers
