// Layers as an engine packed them: lines to the neighbours of a particle.
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
    LayerData lines = layerOf(info(), from.neighbours, from.noNeighbours);
    lines.over = true;  // other particles would hide them
    if (lines.scale.marks.empty()) lines.scale.marks = {Mark::neighbour};
    to.add(std::move(lines));
  }
};

}  // namespace cellscope::layers
