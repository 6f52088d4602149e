// Thread blocks of the sub-sweep kernels, and their counters.
#pragma once
#include <algorithm>

#include "sim/algo/mpmc/mappings.h"
#include "sim/algo/mpmc/resident_sweeps.cuh"
#include "sim/algo/mpmc/sub_sweep_mapping.cuh"
#include "sim/exec/layout.h"

namespace cellscope::mpmc {

// One counter block per thread block of any mapping and set.
struct Counters {
  exec::Array<BlockCounters> blocks;
  static int stride(const GridInfo& grid, const TileCount& tiles) {
    unsigned most = ResidentSweeps::blocksOf(tiles);
    for (const MpmcMappingInfo& m : kMpmcMappings) {
      const dim3 blocks = m.subSweep(grid, true).grid;
      most = std::max(most, blocks.x * blocks.y);
    }
    return static_cast<int>(most);
  }
  static exec::Layout<Counters> layout(const GridInfo& grid, const TileCount& tiles) {
    return {{"counters of thread blocks", &Counters::blocks,
             4 * static_cast<std::size_t>(stride(grid, tiles))}};
  }
};

}  // namespace cellscope::mpmc
