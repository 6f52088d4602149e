// From positions in memory back to cells of the grid.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/core/checkerboard.h"

namespace cellscope {

// Logical x of a column in memory (inverse of GridInfo::column).
HOST_DEVICE int columnToX(const GridInfo& grid, int column) {
  const int half = grid.m >> 1;
  return column < half ? 2 * column : 2 * (column - half) + 1;
}

struct CellIndex {
  int x, y;
};
// Cell at position `cell` of per-cell arrays.
HOST_DEVICE CellIndex cellIndex(const GridInfo& grid, std::size_t cell) {
  const auto m = static_cast<std::uint32_t>(grid.m);
  const std::uint32_t y = static_cast<std::uint32_t>(cell) / m;
  return {columnToX(grid, static_cast<int>(static_cast<std::uint32_t>(cell) - y * m)),
          static_cast<int>(y)};
}

}  // namespace cellscope
