// The box of the simulation.
#pragma once
#include <vector>

#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

class BoxLayer final : public Layer {
 public:
  BoxLayer()
      : Layer(
            {kBox, "Box", "The periodic box.", Primitive::boxes, false, LayerGroup::cells, {}, {}},
            0) {}
  void draw(const Structures& from, Canvas& to) const override {
    BoxInstance whole{};
    for (int axis = 0; axis < from.box.dimension; ++axis)
      whole.hi[axis] = static_cast<float>(from.box.length[axis]);
    LayerData layer =
        layerOf(info().key, Primitive::boxes, std::vector<BoxInstance>{whole}, plainScale("Box"));
    layer.scale.marks = {Mark::outline};
    to.add(std::move(layer));
  }
};

}  // namespace cellscope::layers
