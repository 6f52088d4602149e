// Slots in the order of the cells of a grid, where these are sorted by counting: how many particles
// each cell has, where its first one comes, and each slot to its place.
#pragma once
#include <cstdint>

#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/verlet/step_control.h"

namespace cellscope {

// All arrays lie in the memory of the backend. Within a cell slots follow each other by x, which
// gives parts of a cell that are searched together smaller boxes, and by number where x is the
// same: the order depends on nothing but the records.
struct CellOrder {
  CurrentRecords record;  // n, by slot
  CellGrid grid;
  std::uint32_t* first;     // out: the first of each cell in this order, and one entry more
  std::uint32_t* slot;      // out: n
  std::uint32_t* cell;      // n: of each slot
  std::uint64_t* unsorted;  // n: slots of each cell in any order, with x in the upper half
};

}  // namespace cellscope
