// What the moves of a grand-canonical step did.
#pragma once
#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Values of the layer: indices into the categories of its scale.
enum class GcmcMovePart { inserted, deleted, moved, rejected };

inline ColourScale gcmcMoveScale() {
  return categories("last moves", {"inserted", "deleted", "moved", "rejected"},
                    {Mark::setA, Mark::overlapping, Mark::moved, Mark::rejected});
}

class GcmcMovesLayer final : public Layer {
 public:
  GcmcMovesLayer()
      : Layer({kMoves,
               "Last moves",
               "After a single step: particles inserted, deleted and displaced, and where trial "
               "moves were rejected (the last 20,000 moves of the step). They flash and fade.",
               Primitive::points,
               true,
               LayerGroup::events,
               {opacityOption()},
               {{kMovePaths, "displacements"}}},
              bit(Need::moves)) {}
  void draw(const Structures& from, Canvas& to) const override {
    static const MovesView none;
    const MovesView& moves = from.moves ? *from.moves : none;
    LayerData marks = layerOf(info().key, Primitive::points, moves.marks, gcmcMoveScale());
    LayerData paths = layerOf(kMovePaths, Primitive::lines, moves.paths, gcmcMoveScale());
    if (moves.marks.empty()) marks.reason = "no step was made on its own";
    marks.events = paths.events = true;
    to.add(std::move(marks));
    to.add(std::move(paths));
  }
};

}  // namespace cellscope::layers
