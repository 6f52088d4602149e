// Disks of a cell list by number, and their scaling: functors for both backends.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/base/vec.h"
#include "sim/core/cell_index.h"
#include "sim/core/checkerboard.h"
#include "sim/core/grid_placement.h"

namespace cellscope {

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
