// Layers of a grand-canonical checkerboard: the cells by colour, four in the plane and eight in
// space, and those that were updated last.
#pragma once
#include <string>
#include <utility>

#include "sim/layers/cells.h"

namespace cellscope::layers {

inline ColourScale boardScale(const std::string& title, int dimension) {
  if (dimension == 2) return setScale(title);
  return categories(title, {"a", "b", "c", "d", "e", "f", "g", "h"},
                    {Mark::setA, Mark::setB, Mark::setC, Mark::setD, Mark::setE, Mark::setF,
                     Mark::setG, Mark::setH});
}

class BoardSetsLayer final : public Layer {
 public:
  BoardSetsLayer()
      : Layer({kSets,
               "Checkerboard",
               "The cells of the checkerboard by colour: four colours in the plane, eight in "
               "space. Cells of one colour are at least the cutoff apart, so that moves in all of "
               "them at the same time do not affect each other. The grid is shifted at random "
               "after every sweep over the colours.",
               Primitive::boxes,
               false,
               LayerGroup::cells,
               {opacityOption()},
               {}},
              bit(Need::cells) | bit(Need::activeSet)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells || !from.active)
      return to.add(nothing(info(), "only the checkerboard has colours: choose it as the method"));
    PackCellBoxes kernel{*from.cells, CellValue::set, -1, nullptr};
    to.add(cellBoxes(info(), kernel, boardScale("colours of cells", from.cells->dimension), to));
  }
};

class BoardActiveLayer final : public Layer {
 public:
  BoardActiveLayer()
      : Layer({kActive,
               "Active cells",
               "The cells of the colour that was updated last; the others are faint in the plane "
               "and hidden in space. Step phase by phase to see colour after colour.",
               Primitive::boxes,
               false,
               LayerGroup::cells,
               {opacityOption()},
               {}},
              bit(Need::activeSet)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.active || from.active->set < 0)
      return to.add(nothing(info(),
                            "no colour has been updated yet: only the checkerboard has "
                            "colours"));
    const ActiveSetView& a = *from.active;
    PackCellBoxes kernel{a.grid, CellValue::active, a.set, nullptr};
    ColourScale scale = boardScale("", a.grid.dimension);
    scale.title = a.title + ": " + scale.categories.at(static_cast<std::size_t>(a.set));
    to.add(cellBoxes(info(), kernel, std::move(scale), to));
  }
};

}  // namespace cellscope::layers
