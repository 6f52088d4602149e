// Layers of a cell grid: its cells by occupancy, by checkerboard set, and the set updated last.
#pragma once
#include <string>
#include <utility>

#include "sim/layers/cell_boxes.h"
#include "sim/layers/layer.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Cells of a plane: no instances, at most a byte each.
inline LayerData cellsOfPlane(const LayerInfo& info, const PackCellBoxes& kernel, ColourScale scale,
                              Canvas& to) {
  const CellGridView& grid = kernel.grid;
  LayerData layer = nothing(info, "");
  layer.primitive = Primitive::cells;
  layer.scale = std::move(scale);
  CellLattice lattice;
  for (int axis = 0; axis < 2; ++axis) {
    lattice.cells[axis] = grid.cells[axis];
    lattice.width[axis] = grid.width[axis];
    lattice.origin[axis] = grid.origin[axis];
  }
  lattice.evenFirst = grid.evenFirst;
  if (kernel.value == CellValue::active) lattice.activeSet = kernel.activeSet;
  const PackCellBytes bytes{grid, nullptr};
  layer.count = bytes.items();
  if (kernel.value == CellValue::occupancy) layer.buffer = to.packer->pack(bytes).buffer;
  layer.lattice = lattice;
  return layer;
}

inline LayerData cellBoxes(const LayerInfo& info, const PackCellBoxes& kernel, ColourScale scale,
                           Canvas& to) {
  if (kernel.grid.dimension == 2) return cellsOfPlane(info, kernel, std::move(scale), to);
  return packedLayer(info, to.packer->pack(kernel), std::move(scale));
}

class CellsLayer final : public Layer {
 public:
  explicit CellsLayer(const std::string& help)
      : Layer({kCells,
               "Cell grid",
               help,
               Primitive::boxes,
               false,
               LayerGroup::cells,
               {opacityOption()},
               {}},
              bit(Need::cells)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells) return to.add(nothing(info(), "no cells are used now"));
    PackCellBoxes kernel{*from.cells, CellValue::occupancy, -1, nullptr};
    to.add(cellBoxes(info(), kernel, occupancyScale(from.particles, from.cells->most), to));
  }
};

class SetsLayer final : public Layer {
 public:
  SetsLayer()
      : Layer({kSets,
               "Sets",
               "The four sets a, b, c, d of cells (Anderson et al. 2013, eq. 1). Cells of one set "
               "are never neighbours, so that all of them can be updated at the same time.",
               Primitive::boxes,
               false,
               LayerGroup::cells,
               {opacityOption(), setOption()},
               {}},
              bit(Need::cells)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells) return to.add(nothing(info(), "no cells are used now"));
    PackCellBoxes kernel{*from.cells, CellValue::set, -1, nullptr};
    to.add(cellBoxes(info(), kernel, setScale("checkerboard sets"), to));
  }
};

class ActiveSetLayer final : public Layer {
 public:
  ActiveSetLayer()
      : Layer({kActive,
               "Active set",
               "The cells updated by the last sub-sweep, in full strength, the others faint; after "
               "the shuffle, the set that comes next. After the cell shift they are shown where "
               "they were when they were updated, and the other layers of cells where they are "
               "now.",
               Primitive::boxes,
               false,
               LayerGroup::cells,
               {opacityOption()},
               {}},
              bit(Need::activeSet)) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.active) return to.add(nothing(info(), "no set has been updated yet"));
    PackCellBoxes kernel{from.active->grid, CellValue::active, from.active->set, nullptr};
    to.add(cellBoxes(info(), kernel, setScale(from.active->title), to));
  }
};

}  // namespace cellscope::layers
