// Disks of a cell list by number, and their scaling: functors for both backends.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/base/box.h"
#include "sim/core/checkerboard.h"
#include "sim/exec/atomic.h"

namespace cellscope {

struct CellSlot {
  int x, y, i;
};

// Inverse of GridInfo::slot.
HOST_DEVICE CellSlot cellSlotOf(const GridInfo& g, std::size_t slot) {
  int inCell = 0;  // of a few: subtractions take a GPU less time than divisions of 64 bits
  while (slot >= g.cellCount()) slot -= g.cellCount(), ++inCell;
  const CellIndex at = cellIndex(g, slot);
  return {at.x, at.y, inCell};
}

// A disk that was looked for, and what is known of its slot.
struct FoundDisk {
  static constexpr unsigned long long kNone = ~0ull;
  unsigned long long slot = kNone;
  Vec2 local{}, psi6{};
  float density = 0;
  std::uint32_t neighbours = 0;
};

// Slots of several disks in one pass over the ids: the smallest one, if an id is in two.
struct FindDisks {
  static constexpr int kMost = 64;
  DiskCellsView cells;
  FoundDisk* found;  // of each wanted id
  std::int32_t count;
  std::uint32_t wanted[kMost];
  HOST_DEVICE void operator()(std::size_t slot) const {
    const std::uint32_t id = cells.id[slot];
    for (std::int32_t k = 0; k < count; ++k)
      if (wanted[k] == id) exec::minGlobal(&found[k].slot, static_cast<unsigned long long>(slot));
  }
};

// What lies in the slots that were found; bond order where it is there.
struct ReadFound {
  DiskCellsView cells;
  FoundDisk* found;
  const Vec2* psi6;
  const std::uint8_t* neighbours;
  const float* density;
  HOST_DEVICE void operator()(std::size_t k) const {
    FoundDisk& f = found[k];
    if (f.slot == FoundDisk::kNone) return;
    f.local = cells.disk[f.slot];
    if (psi6) f.psi6 = psi6[f.slot];
    if (neighbours) f.neighbours = neighbours[f.slot];
    if (density) f.density = density[f.slot];
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
    const CellSlot p = cellSlotOf(cells.grid, slot);
    if (p.i >= cells.count[cells.grid.cell(p.x, p.y)]) return;
    const Vec2 d = cells.disk[slot];
    cells.disk[slot] = {scaled(d.x), scaled(d.y)};
  }
};

}  // namespace cellscope
