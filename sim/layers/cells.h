// Layers of a cell grid: its cells by occupancy, by checkerboard set, and the set updated last.
#pragma once
#include <cstdio>

#include "sim/core/checkerboard.h"
#include "sim/layers/layers.h"

namespace cellscope::layers {

// Unit vector of a shift.
struct ShiftAxis {
  double x = 0, y = 0;
  static ShiftAxis of(const CellShift& shift) {
    const double sign = shift.direction & 1 ? -1 : 1;
    return shift.direction < 2 ? ShiftAxis{sign, 0} : ShiftAxis{0, sign};
  }
};

// Of a fine grid only every nth boundary is drawn, so that the space between them stays visible.
inline int boundaryStride(int m) { return (m + 31) / 32; }
inline int rowsOf(const GridPlacement& grid) { return static_cast<int>(grid.length[1] / grid.w); }

// At most 16 x 16 arrows, between the boundaries drawn, whose tips are centres of cells; none
// without a shift.
inline std::vector<LineInstance> shiftArrows(const GridPlacement& grid, int m,
                                             const CellShift& shift) {
  std::vector<LineInstance> lines;
  if (!(shift.d > 0)) return lines;
  const int line = boundaryStride(m), stride = line * ((m + 16 * line - 1) / (16 * line));
  const ShiftAxis u = ShiftAxis::of(shift);
  const auto half = static_cast<float>(grid.w / 2);
  for (int y = line / 2; y < rowsOf(grid); y += stride)
    for (int x = line / 2; x < m; x += stride) {
      const double tipX = grid.globalX(x, half), tipY = grid.globalY(y, half);
      lines.push_back(
          lineBetween({tipX - u.x * shift.d, tipY - u.y * shift.d, 0}, {tipX, tipY, 0}));
    }
  return lines;
}

// Lines of the grid across the whole box, moved back by `back` along the shift: those across it,
// and with `both` those along it.
inline std::vector<LineInstance> gridLines(const GridPlacement& grid, int m, const ShiftAxis& u,
                                           double back, bool both) {
  std::vector<LineInstance> lines;
  const int stride = boundaryStride(m);
  const auto length = [&](int axis) { return static_cast<float>(grid.length[axis]); };
  const auto within = [&](double v, int axis) {
    const double l = grid.length[axis], in = v < 0 ? v + l : v >= l ? v - l : v;
    return static_cast<float>(in);
  };
  for (int k = 0; k < m && (both || u.x != 0); k += stride) {
    const float x = within(grid.globalX(k, 0) - u.x * back, 0);
    lines.push_back({{x, 0, 0}, {x, length(1), 0}, 0, 0, 0});
  }
  for (int k = 0; k < rowsOf(grid) && (both || u.y != 0); k += stride) {
    const float y = within(grid.globalY(k, 0) - u.y * back, 1);
    lines.push_back({{0, y, 0}, {length(0), y, 0}, 0, 0, 0});
  }
  return lines;
}

class CellShiftLayer final : public Layer {
 public:
  CellShiftLayer()
      : Layer(kShift, "Cell shift",
              "The step by which the last sweep moved the cell boundaries: dashed, where they "
              "were; solid, where they are; and arrows from one to the other. Boundaries that did "
              "not move are drawn once. Of a fine grid only some boundaries are shown, and arrows "
              "are drawn long enough to be seen.",
              Primitive::lines, false, LayerGroup::cells, bit(Need::gridShift), {opacityOption()},
              {{kShiftBefore, "before"}, {kShiftAfter, "after"}}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.shift || !(from.shift->shift.d > 0))
      return to.add(nothing(info(), "no shift has just been made"));
    const GridShiftView& s = *from.shift;
    const ShiftAxis u = ShiftAxis::of(s.shift);
    const auto d = static_cast<double>(s.shift.d);
    static constexpr const char* kTo[] = {"right", "left", "up", "down"};
    char words[48];
    std::snprintf(words, sizeof words, "%.3f sigma %s", d, kTo[s.shift.direction & 3]);
    const int stride = boundaryStride(s.cells);
    const std::string which = stride > 1 ? ", 1 line of " + std::to_string(stride) : "";
    to.add(linesOf(kShiftBefore, gridLines(s.grid, s.cells, u, d, false), "cells before" + which,
                   Mark::gridBefore));
    to.add(linesOf(kShiftAfter, gridLines(s.grid, s.cells, u, 0, true), "cells now" + which,
                   Mark::gridAfter));
    to.add(linesOf(info().key, shiftArrows(s.grid, s.cells, s.shift), words, Mark::shifted));
  }

 private:
  static LayerData linesOf(const std::string& key, const std::vector<LineInstance>& lines,
                           const std::string& words, Mark mark) {
    return layerOf(key, lines, plainScale("cell shift", {mark}, {words}));
  }
};

// Slots of cells that have a fixed number of them: those of particles, and those of placeholders
// (S2, section 3.1: virtual particles).
enum class SlotPart : std::int32_t { particle, placeholder };

// A point for each slot, in rows, columns and sheets within its cell; slots are not positions.
// Level and value: SlotPart.
struct PackCellSlots {
  static constexpr const char* kName = "pack slots";
  static constexpr int kGrain = 4096;

  CellGridView grid;

  std::size_t items() const {
    std::size_t n = static_cast<std::size_t>(grid.slots);
    for (int a = 0; a < grid.dimension; ++a) n *= static_cast<std::size_t>(grid.cells[a]);
    return n;
  }

  // Slots along each axis of a cell.
  HOST_DEVICE int side() const {
    int q = 1;
    while ((grid.dimension == 3 ? q * q * q : q * q) < grid.slots) ++q;
    return q;
  }
  HOST_DEVICE float diameter() const {
    double narrowest = grid.width[0];
    for (int a = 1; a < grid.dimension; ++a)
      narrowest = grid.width[a] < narrowest ? grid.width[a] : narrowest;
    return static_cast<float>(0.35 * narrowest / side());
  }
  HOST_DEVICE float along(int axis, int cell, int place, int q) const {
    if (axis >= grid.dimension) return 0;
    const double x = grid.origin[axis] + (cell + (place + 0.5) / q) * grid.width[axis];
    return static_cast<float>(x < grid.length[axis] ? x : x - grid.length[axis]);
  }
  HOST_DEVICE PointInstance instance(std::size_t k) const {
    const auto slots = static_cast<std::size_t>(grid.slots);
    const std::size_t cell = k / slots;
    const int slot = static_cast<int>(k % slots), q = side();
    const auto nx = static_cast<std::size_t>(grid.cells[0]);
    const auto ny = static_cast<std::size_t>(grid.cells[1]);
    const bool real = static_cast<std::uint32_t>(slot) < grid.filled[cell];
    const auto part = static_cast<std::int16_t>(real ? SlotPart::particle : SlotPart::placeholder);
    return {along(0, static_cast<int>(cell % nx), slot % q, q),
            along(1, static_cast<int>(cell / nx % ny), slot / q % q, q),
            along(2, static_cast<int>(cell / (nx * ny)), slot / (q * q), q),
            diameter(),
            static_cast<float>(part),
            part,
            0};
  }
};

struct CellSlotsLayer final : Layer {
  CellSlotsLayer()
      : Layer(kSlots, "Slots",
              "The slots of placeholder cells, each a small point in rows within its cell, not "
              "where a particle is: a slot holds a particle, or a placeholder, which the paper's "
              "kernel treats like a particle that exerts no force (van Meel et al. 2008, section "
              "3.1). Right-click: particles or placeholders only.",
              Primitive::points, false, LayerGroup::cells, bit(Need::cells),
              {opacityOption(),
               levelsOption("Slots",
                            "Which slots are shown: those of particles, of placeholders, or both.",
                            0, 1, {"particle", "placeholder"})}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells || from.cells->slots == 0)
      return to.add(nothing(info(), "only method = placeholder_cells has slots"));
    const PackCellSlots kernel{*from.cells};
    LayerData layer = packedLayer(info(), to.packer->pack(kernel),
                                  categories("slot of a cell", {"particle", "placeholder"}));
    layer.diameter = kernel.diameter();
    to.add(std::move(layer));
  }
};

// Kernel of all layers of cells: a box for each cell.
enum class CellValue : std::int32_t { occupancy, set, active };

// Boxes of all cells, clipped to the box. A grid whose origin is not at a multiple of the width
// shows part of a column at either end: one cell more along that axis. Level: the checkerboard set;
// cells without area, and inactive ones, have level -1. In space inactive ones are left out.
struct PackCellBoxes {
  static constexpr const char* kName = "pack cells";
  static constexpr int kGrain = 4096;

  CellGridView grid;
  CellValue value = CellValue::occupancy;
  std::int32_t activeSet = -1;

  HOST_DEVICE int side(int axis) const {
    if (axis >= grid.dimension) return 1;
    return grid.cells[axis] + (grid.origin[axis] > 0 ? 1 : 0);
  }
  std::size_t items() const {
    return static_cast<std::size_t>(side(0)) * static_cast<std::size_t>(side(1)) *
           static_cast<std::size_t>(side(2));
  }

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
    const double lo = rest + static_cast<double>(k - before) * w, hi = lo + w;
    return {lo < 0 ? 0 : lo, hi > grid.length[axis] ? grid.length[axis] : hi,
            (k - before - first + 2 * cells) % cells};
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
    const int seen = value == CellValue::occupancy ? occupancy(x.index, y.index, z.index) : set;
    const bool hidden = (value == CellValue::active && set != activeSet) || x.hi <= x.lo ||
                        y.hi <= y.lo || (space && z.hi <= z.lo);
    return {{static_cast<float>(x.lo), static_cast<float>(y.lo), static_cast<float>(z.lo)},
            {static_cast<float>(x.hi), static_cast<float>(y.hi), static_cast<float>(z.hi)},
            static_cast<float>(seen),
            static_cast<std::int16_t>(hidden ? -1 : set),
            0};
  }
};

// Occupancy of the cells of a plane, a byte each, in the order of the grid's arrays.
struct PackCellBytes {
  static constexpr const char* kName = "pack occupancy";
  static constexpr int kGrain = 65536;

  CellGridView grid;

  std::size_t items() const {
    return static_cast<std::size_t>(grid.cells[0]) * static_cast<std::size_t>(grid.cells[1]);
  }
  HOST_DEVICE std::uint8_t instance(std::size_t cell) const {
    const std::uint32_t n = grid.occupancy(cell);
    return static_cast<std::uint8_t>(n < 255u ? n : 255u);
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
  std::copy_n(grid.cells, 2, lattice.cells);
  std::copy_n(grid.width, 2, lattice.width);
  std::copy_n(grid.origin, 2, lattice.origin);
  lattice.evenFirst = grid.evenFirst;
  if (kernel.value == CellValue::active) lattice.activeSet = kernel.activeSet;
  const PackCellBytes bytes{grid};
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

struct CellsLayer final : Layer {
  explicit CellsLayer(const std::string& help)
      : Layer(kCells, "Cell grid", help, Primitive::boxes, false, LayerGroup::cells,
              bit(Need::cells), {opacityOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells) return to.add(nothing(info(), "no cells are used now"));
    to.add(cellBoxes(
        info(), {*from.cells, CellValue::occupancy},
        counting(from.particles + "s in the cell", "", 0, static_cast<float>(from.cells->most)),
        to));
  }
};

struct SetsLayer final : Layer {
  SetsLayer()
      : Layer(kSets, "Sets",
              "The four sets a, b, c, d of cells (Anderson et al. 2013, eq. 1). Cells of one set "
              "are never neighbours, so that all of them can be updated at the same time.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::cells),
              {opacityOption(), setOption()}) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.cells) return to.add(nothing(info(), "no cells are used now"));
    to.add(cellBoxes(info(), {*from.cells, CellValue::set}, setScale("checkerboard sets"), to));
  }
};

struct ActiveSetLayer final : Layer {
  ActiveSetLayer()
      : Layer(kActive, "Active set",
              "The cells updated by the last sub-sweep, in full strength, the others faint; after "
              "the shuffle, the set that comes next. After the cell shift they are shown where "
              "they were when they were updated, and the other layers of cells where they are now.",
              Primitive::boxes, false, LayerGroup::cells, bit(Need::activeSet), {opacityOption()}) {
  }
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.active) return to.add(nothing(info(), "no set has been updated yet"));
    const ActiveSetView& a = *from.active;
    to.add(cellBoxes(info(), {a.grid, CellValue::active, a.set}, setScale(a.title), to));
  }
};

}  // namespace cellscope::layers
