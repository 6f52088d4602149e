// From cell lists to drawable instances and back: functors for both backends.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/api/frame.h"
#include "sim/core/cell_index.h"
#include "sim/core/checkerboard.h"
#include "sim/core/vec.h"

namespace cellscope {

// Where the grid lies in the box. The picture stands still while the grid moves: the origin of cell
// (0, 0) is the sum of all cell shifts, modulo L. All values are multiples of q below 2^40 q, so
// that every operation in double is exact.
struct GridPlacement {
  double originX = 0, originY = 0;  // in [0, L)
  double w = 1, length = 4;

  HOST_DEVICE double wrap(double v) const { return v >= length ? v - length : v; }
  HOST_DEVICE double globalX(int x, float local) const {
    return wrap(wrap(static_cast<double>(x) * w + static_cast<double>(local)) + originX);
  }
  HOST_DEVICE double globalY(int y, float local) const {
    return wrap(wrap(static_cast<double>(y) * w + static_cast<double>(local)) + originY);
  }
};

struct SlotPlace {
  int x, y, i;
};

// Inverse of GridInfo::slot.
HOST_DEVICE SlotPlace placeOfSlot(const GridInfo& g, std::size_t slot) {
  int place = 0;  // of a few: subtractions take a GPU less time than divisions of 64 bits
  while (slot >= g.cellCount()) slot -= g.cellCount(), ++place;
  const CellIndex at = cellIndex(g, slot);
  return {at.x, at.y, place};
}

enum class DiskColour : std::int32_t {
  psi6Phase,
  psi6Modulus,
  density,
  cell,
  set,
  neighbours,
  plain
};

// One cell: writes the instances of its disks to out[id]. Neighbouring disks mostly have nearby
// ids, so that what is written together lies together. psi6, neighbours, density: per slot, needed
// only by the colours of those names.
struct PackDisk {
  DiskCellsView cells;
  GridPlacement placement;
  DiskColour colour;
  const Vec2* psi6;
  const std::uint8_t* neighbours;
  const float* density;
  PointInstance* out;

  HOST_DEVICE float value(const CellIndex& p, std::size_t slot) const {
    switch (colour) {
      case DiskColour::psi6Phase:
        return atan2f(psi6[slot].y, psi6[slot].x);
      case DiskColour::psi6Modulus:
        return sqrtf(psi6[slot].x * psi6[slot].x + psi6[slot].y * psi6[slot].y);
      case DiskColour::density:
        return density[slot] * 0.78539816f;  // local packing fraction, rho pi / 4
      case DiskColour::cell:
        return static_cast<float>(p.x % 3 + 3 * (p.y % 3));
      case DiskColour::set:
        return static_cast<float>(checkerboardSet(p.x, p.y));
      case DiskColour::neighbours:
        return static_cast<float>(neighbours[slot] < 9 ? neighbours[slot] : 9);
      default:
        return 0.0f;
    }
  }

  HOST_DEVICE void operator()(std::size_t cell) const {
    const CellIndex at = cellIndex(cells.grid, cell);
    const int count = cells.count[cell];
    for (int i = 0; i < count; ++i) {
      const std::size_t slot = static_cast<std::size_t>(i) * cells.grid.cellCount() + cell;
      const Vec2 d = cells.disk[slot];
      PointInstance instance;
      instance.x = static_cast<float>(placement.globalX(at.x, d.x));
      instance.y = static_cast<float>(placement.globalY(at.y, d.y));
      instance.z = 0.0f;
      instance.diameter = 1.0f;
      instance.value = value(at, slot);
      instance.level = static_cast<std::int16_t>(checkerboardSet(at.x, at.y));
      instance.type = 0;
      out[cells.id[slot]] = instance;
    }
  }
};

enum class CellColour : std::int32_t { occupancy, set, active };

// Boxes of all cells, clipped to the box: (m + 1)^2 of them, because a grid whose origin is not at
// a multiple of w shows half a column at either end. A cell without area keeps level -1.
struct PackCell {
  DiskCellsView cells;
  GridPlacement placement;
  CellColour colour;
  std::int32_t activeSet;
  BoxInstance* out;

  struct Span {
    double lo, hi;
    int index;  // cell along this axis
  };
  // Visible part k = 0..m along one axis.
  HOST_DEVICE Span span(int k, double origin) const {
    const double w = placement.w;
    const int first = static_cast<int>(origin / w);
    const double rest = origin - static_cast<double>(first) * w;
    Span s;
    s.lo = rest + static_cast<double>(k - 1) * w;
    s.hi = s.lo + w;
    s.lo = s.lo < 0 ? 0 : s.lo;
    s.hi = s.hi > placement.length ? placement.length : s.hi;
    s.index = (k - 1 - first + 2 * cells.grid.m) % cells.grid.m;
    return s;
  }

  HOST_DEVICE void operator()(std::size_t k) const {
    const int side = cells.grid.m + 1;
    const Span sx = span(static_cast<int>(k % static_cast<std::size_t>(side)), placement.originX);
    const Span sy = span(static_cast<int>(k / static_cast<std::size_t>(side)), placement.originY);
    const int set = checkerboardSet(sx.index, sy.index);
    BoxInstance b;
    b.lo[0] = static_cast<float>(sx.lo);
    b.lo[1] = static_cast<float>(sy.lo);
    b.hi[0] = static_cast<float>(sx.hi);
    b.hi[1] = static_cast<float>(sy.hi);
    b.lo[2] = b.hi[2] = 0.0f;
    const std::uint8_t held = cells.count[cells.grid.cell(sx.index, sy.index)];
    b.value = static_cast<float>(colour == CellColour::occupancy ? held : set);
    b.level = static_cast<std::int16_t>(set);
    b.type = 0;
    if (colour == CellColour::active && set != activeSet) b.level = -1;
    if (sx.hi <= sx.lo || sy.hi <= sy.lo) b.level = -1;
    out[k] = b;
  }
};

// Slot that holds disk `wanted`, as a value for a minimum.
struct FindDisk {
  static constexpr unsigned long long kNone = ~0ull;
  DiskCellsView cells;
  std::uint32_t wanted;
  HOST_DEVICE unsigned long long operator()(std::size_t slot) const {
    return cells.id[slot] == wanted ? static_cast<unsigned long long>(slot) : kNone;
  }
};
struct SmallerSlot {
  HOST_DEVICE unsigned long long operator()(unsigned long long a, unsigned long long b) const {
    return a < b ? a : b;
  }
};

// Scale the local coordinates of one slot from cell width `from` to `to`, rounded to the coordinate
// grid; no disk changes its cell.
struct ScaleDisk {
  DiskCellsView cells;
  float to;
  HOST_DEVICE float scaled(float v) const {
    const double ratio = static_cast<double>(to) / static_cast<double>(cells.grid.w);
    const double rounded =
        floor(static_cast<double>(v) * ratio * kQuantaPerLength + 0.5) / kQuantaPerLength;
    const double last = static_cast<double>(to) - 1.0 / kQuantaPerLength;
    return static_cast<float>(rounded > last ? last : rounded);
  }
  HOST_DEVICE void operator()(std::size_t slot) const {
    const SlotPlace p = placeOfSlot(cells.grid, slot);
    if (p.i >= cells.count[cells.grid.cell(p.x, p.y)]) return;
    const Vec2 d = cells.disk[slot];
    cells.disk[slot] = {scaled(d.x), scaled(d.y)};
  }
};

}  // namespace cellscope
