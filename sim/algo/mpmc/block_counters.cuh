// Thread blocks of the sub-sweep kernels, and their counters.
#pragma once
#include <algorithm>

#include "sim/algo/mpmc/resident_sweeps.cuh"
#include "sim/algo/mpmc/sub_sweep.cuh"
#include "sim/algo/mpmc/sub_sweep_group.cuh"
#include "sim/exec/layout.h"

namespace cellscope::mpmc {

inline int divideUp(int a, int b) { return (a + b - 1) / b; }

inline dim3 subSweepGrid(const GridInfo& grid) {
  const int half = grid.m / 2;
  return dim3(divideUp(half, kSubSweepColumns),
              divideUp(half, kSubSweepThreads / kSubSweepColumns));
}
inline dim3 groupGrid(const GridInfo& grid) {
  const int half = grid.m / 2;
  return dim3(divideUp(half, kGroupThreads / kLanes), half);
}

// One counter block per thread block of either mapping and set.
struct Counters {
  exec::Array<BlockCounters> blocks;
  static int stride(const GridInfo& grid, const TileCount& tiles) {
    const dim3 cells = subSweepGrid(grid), group = groupGrid(grid);
    return static_cast<int>(
        std::max({cells.x * cells.y, group.x * group.y, ResidentSweeps::blocksOf(tiles)}));
  }
  static exec::Layout<Counters> layout(const GridInfo& grid, const TileCount& tiles) {
    return {{"counters of thread blocks", &Counters::blocks,
             4 * static_cast<std::size_t>(stride(grid, tiles))}};
  }
};

}  // namespace cellscope::mpmc
