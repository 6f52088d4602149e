// What a single step or phase did: to every particle, or in every move.
#pragma once
#include <string>
#include <utility>

#include "sim/layers/layer.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Marks where moves ended, and lines along their displacements, both of the scale of the mode.
class MovesLayer final : public Layer {
 public:
  // whyNone: the reason given while there is nothing to show.
  MovesLayer(const std::string& help, std::string whyNone, ColourScale (*scale)())
      : Layer({kMoves,
               "Last moves",
               help,
               Primitive::points,
               true,
               LayerGroup::events,
               {opacityOption()},
               {{kMovePaths, "displacements"}}},
              bit(Need::moves)),
        whyNone_(std::move(whyNone)),
        scale_(scale) {}
  void draw(const Structures& from, Canvas& to) const override {
    static const MovesView none;
    const MovesView& moves = from.moves ? *from.moves : none;
    LayerData marks = layerOf(info().key, Primitive::points, moves.marks, scale_());
    LayerData paths = layerOf(kMovePaths, Primitive::lines, moves.paths, scale_());
    if (moves.marks.empty()) marks.reason = whyNone_;
    marks.events = paths.events = true;
    to.add(std::move(marks));
    to.add(std::move(paths));
  }

 private:
  std::string whyNone_;
  ColourScale (*scale_)();
};

}  // namespace cellscope::layers
