// Layers of a cell grid: its cells by occupancy, by checkerboard set, and the set updated last.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/core/checkerboard.h"
#include "sim/layers/layer.h"
#include "sim/layers/layers.h"
#include "sim/layers/structures.h"

namespace cellscope::layers {

// Kernel of all layers of cells: a box for each cell.
enum class CellValue : std::int32_t { occupancy, set, active };

// Boxes of all cells, clipped to the box. A grid whose origin is not at a multiple of the width
// shows part of a column at either end: one cell more along that axis. Level: the checkerboard set;
// cells without area, and inactive ones, have level -1. In space inactive ones are left out.
struct PackCellBoxes {
  using Instance = BoxInstance;
  static constexpr const char* kName = "pack cells";
  static constexpr int kGrain = 4096;

  CellGridView grid;
  CellValue value = CellValue::occupancy;
  std::int32_t activeSet = -1;
  BoxInstance* out = nullptr;

  HOST_DEVICE int side(int axis) const {
    if (axis >= grid.dimension) return 1;
    return grid.cells[axis] + (grid.origin[axis] > 0 ? 1 : 0);
  }
  std::size_t items() const {
    return static_cast<std::size_t>(side(0)) * static_cast<std::size_t>(side(1)) *
           static_cast<std::size_t>(side(2));
  }
  std::size_t capacity() const { return items(); }

  struct Span {
    double lo, hi;
    int index;  // cell along this axis
  };
  // Visible part k = 0, 1, ... along one axis.
  HOST_DEVICE Span span(int axis, int k) const {
    const double origin = grid.origin[axis], w = grid.width[axis];
    const int cells = grid.cells[axis], first = static_cast<int>(origin / w);
    const int before = origin > 0 ? 1 : 0;  // the part of a column at the lower end
    const double rest = origin - static_cast<double>(first) * w;
    Span s;
    s.lo = rest + static_cast<double>(k - before) * w;
    s.hi = s.lo + w;
    s.lo = s.lo < 0 ? 0 : s.lo;
    s.hi = s.hi > grid.length[axis] ? grid.length[axis] : s.hi;
    s.index = (k - before - first + 2 * cells) % cells;
    return s;
  }
  HOST_DEVICE int occupancy(int x, int y, int z) const {
    const int column = grid.evenFirst ? ((x & 1) ? (x + grid.cells[0]) >> 1 : x >> 1) : x;
    const std::size_t cell =
        (static_cast<std::size_t>(z) * static_cast<std::size_t>(grid.cells[1]) +
         static_cast<std::size_t>(y)) *
            static_cast<std::size_t>(grid.cells[0]) +
        static_cast<std::size_t>(column);
    return static_cast<int>(grid.occupancy(cell));
  }

  bool leavesOut() const { return value == CellValue::active && grid.dimension == 3; }
  HOST_DEVICE bool shows(std::size_t k) const { return instance(k).level >= 0; }
  HOST_DEVICE BoxInstance instance(std::size_t k) const {
    const auto nx = static_cast<std::size_t>(side(0)), ny = static_cast<std::size_t>(side(1));
    const Span x = span(0, static_cast<int>(k % nx)), y = span(1, static_cast<int>(k / nx % ny));
    const bool space = grid.dimension == 3;
    const Span z = space ? span(2, static_cast<int>(k / (nx * ny))) : Span{0, 0, 0};
    const int set = checkerboardSet(x.index, y.index) | (space ? (z.index & 1) << 2 : 0);
    BoxInstance b;
    b.lo[0] = static_cast<float>(x.lo);
    b.lo[1] = static_cast<float>(y.lo);
    b.lo[2] = static_cast<float>(z.lo);
    b.hi[0] = static_cast<float>(x.hi);
    b.hi[1] = static_cast<float>(y.hi);
    b.hi[2] = static_cast<float>(z.hi);
    b.value = static_cast<float>(
        value == CellValue::occupancy ? occupancy(x.index, y.index, z.index) : set);
    b.level = static_cast<std::int16_t>(set);
    b.type = 0;
    if (value == CellValue::active && set != activeSet) b.level = -1;
    if (x.hi <= x.lo || y.hi <= y.lo || (space && z.hi <= z.lo)) b.level = -1;
    return b;
  }
};

// Occupancy of the cells of a plane, a byte each, in the order of the grid's arrays.
struct PackCellBytes {
  using Instance = std::uint8_t;
  static constexpr const char* kName = "pack occupancy";
  static constexpr int kGrain = 65536;

  CellGridView grid;
  std::uint8_t* out = nullptr;

  std::size_t items() const {
    return static_cast<std::size_t>(grid.cells[0]) * static_cast<std::size_t>(grid.cells[1]);
  }
  std::size_t capacity() const { return items(); }
  HOST_DEVICE void operator()(std::size_t cell) const {
    const std::uint32_t n = grid.occupancy(cell);
    out[cell] = static_cast<std::uint8_t>(n < 255u ? n : 255u);
  }
};

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
      : Layer(kCells, "Cell grid", help, Primitive::boxes, false, LayerGroup::cells,
              bit(Need::cells), {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells) return to.add(nothing(info(), "no cells are used now"));
    PackCellBoxes kernel{*from.cells, CellValue::occupancy, -1, nullptr};
    to.add(cellBoxes(info(), kernel, occupancyScale(from.particles, from.cells->most), to));
  }
};

class SetsLayer final : public Layer {
 public:
  SetsLayer()
      : Layer(kSets, "Sets",
              "The four sets a, b, c, d of cells (Anderson et al. 2013, eq. 1). Cells of one set "
              "are never neighbours, so that all of them can be updated at the same time.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::cells),
              {opacityOption(), setOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells) return to.add(nothing(info(), "no cells are used now"));
    PackCellBoxes kernel{*from.cells, CellValue::set, -1, nullptr};
    to.add(cellBoxes(info(), kernel, setScale("checkerboard sets"), to));
  }
};

class ActiveSetLayer final : public Layer {
 public:
  ActiveSetLayer()
      : Layer(kActive, "Active set",
              "The cells updated by the last sub-sweep, in full strength, the others faint; after "
              "the shuffle, the set that comes next. After the cell shift they are shown where "
              "they were when they were updated, and the other layers of cells where they are now.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::activeSet), {opacityOption()}) {
  }
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.active) return to.add(nothing(info(), "no set has been updated yet"));
    PackCellBoxes kernel{from.active->grid, CellValue::active, from.active->set, nullptr};
    to.add(cellBoxes(info(), kernel, setScale(from.active->title), to));
  }
};

}  // namespace cellscope::layers
