// Slots in the order of the cells of a grid, or of the bins of columns, where these are sorted by
// counting: how many particles each cell has, where its first one comes, and each slot to its
// place.
//
// All arrays lie in the memory of the backend. Within a cell slots follow each other by x, which
// gives parts of a cell that are searched together smaller boxes, and by number where x is the
// same; with keys of 32 bits by number alone. The order depends on nothing but the records.
#pragma once
#include <cstdint>

#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/neighbours/list.h"

namespace cellscope {

// Records: now() are n records by slot, when it is sorted.
template <class Grid, class Records, class Key = std::uint64_t>
struct CellOrder {
  Records record;
  Grid grid;
  std::uint32_t* first;  // out: the first of each cell in this order, and one entry more
  std::uint32_t* slot;   // out: n
  std::uint32_t* cell;   // n: of each slot
  Key* unsorted;         // n: slots of each cell in any order, with x in the upper half
  SlotRanges some = {};  // that are sorted
  ParticleRecord* sorted = nullptr;  // out: n records in this order, where they are wanted
};

struct RecordsBySlot {
  const ParticleRecord* all;
  HOST_DEVICE const ParticleRecord* now() const { return all; }
};

// Cells of each of several types, or of all together.
struct TypedCells {
  CellGrid grid;
  std::uint32_t types;
  HOST_DEVICE std::uint32_t count() const {
    return types * static_cast<std::uint32_t>(grid.count());
  }
  HOST_DEVICE std::uint32_t indexOf(const ParticleRecord& p) const {
    const auto cell = static_cast<std::uint32_t>(grid.indexOf(p));
    return types > 1 ? p.type * static_cast<std::uint32_t>(grid.count()) + cell : cell;
  }
};

}  // namespace cellscope
