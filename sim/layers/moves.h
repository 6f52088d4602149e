// What a single step or phase did to every particle.
#pragma once
#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

class MovesLayer final : public Layer {
 public:
  MovesLayer()
      : Layer({kMoves,
               "Last moves",
               "After one sweep or one phase: disks that moved, with their displacement, and disks "
               "all of whose trial moves were rejected. They flash and fade; nothing flashes while "
               "playing faster than two sweeps per second. Up to 200,000 disks.",
               Primitive::points,
               true,
               LayerGroup::events,
               {opacityOption()},
               {{kMovePaths, "displacements"}}},
              bit(Need::moves)) {}
  void draw(const Structures& from, Canvas& to) const override {
    static const MovesView none;
    const MovesView& moves = from.moves ? *from.moves : none;
    LayerData marks = layerOf(info().key, Primitive::points, moves.marks, moveScale());
    LayerData paths = layerOf(kMovePaths, Primitive::lines, moves.paths, moveScale());
    if (moves.marks.empty()) marks.reason = "no sweep or phase was made on its own";
    marks.events = paths.events = true;
    to.add(std::move(marks));
    to.add(std::move(paths));
  }
};

}  // namespace cellscope::layers
