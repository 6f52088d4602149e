// Counters of the sub-sweep kernels, one for each thread block of any mapping and set.
#pragma once
#include <algorithm>
#include <vector>

#include "sim/algo/mpmc/mappings.h"
#include "sim/algo/mpmc/resident_sweeps.cuh"
#include "sim/algo/mpmc/sub_sweep_mapping.cuh"
#include "sim/exec/layout.h"

namespace cellscope::mpmc {

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

  void addTo(MpmcCounters& total) const {
    const std::vector<BlockCounters> all = blocks.get();
    const std::size_t stride = all.size() / 4;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t set = i / stride;
      total.attempted[set] += all[i].total[0];
      total.accepted[set] += all[i].total[1];
      total.leftCell[set] += all[i].total[2];
    }
    for (int set = 0; set < 4; ++set)
      total.overlap[set] = total.attempted[set] - total.accepted[set] - total.leftCell[set];
  }
};

}  // namespace cellscope::mpmc
