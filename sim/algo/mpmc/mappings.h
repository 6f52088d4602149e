// Mappings of active cells to threads on CUDA. Results do not depend on them; the CPU has a single
// one.
#pragma once
#include <array>

#include "sim/base/backend.h"
#include "sim/core/checkerboard.h"

namespace cellscope {

namespace mpmc {
struct SubSweepLaunch;  // sub_sweep_mapping.cuh
SubSweepLaunch threadPerCell(const GridInfo& grid, bool fourMoves);
SubSweepLaunch threadPerNeighbour(const GridInfo& grid, bool fourMoves);
}  // namespace mpmc

struct MpmcMappingInfo {
  const char* key;    // value of the parameter `mapping`
  const char* words;  // for its help
  // How its sub-sweeps are launched for a grid and n_M = 4 or any n_M; only in builds with CUDA.
  mpmc::SubSweepLaunch (*subSweep)(const GridInfo&, bool fourMoves);
  // Whole sweeps run from tiles in shared memory where they fit and n_M = 4.
  bool tiles = false;
};

// All mappings; the first is used until another is set.
inline constexpr std::array<MpmcMappingInfo, 3> kMpmcMappings = {{
    // S3, Algorithm 2
    {"thread_per_cell", "one thread per active cell (large systems)",
     kCudaBuilt ? mpmc::threadPerCell : nullptr},
    // S3, section 5.2
    {"thread_per_neighbour", "eight threads per active cell, one for each neighbour cell",
     kCudaBuilt ? mpmc::threadPerNeighbour : nullptr},
    {"resident_tiles",
     "tiles of cells kept in shared memory for many sweeps, with four threads per active cell (up "
     "to about 70 000 disks on large GPUs and 4 trial moves per cell, otherwise as thread per "
     "neighbour)",
     kCudaBuilt ? mpmc::threadPerNeighbour : nullptr, true},
}};

}  // namespace cellscope
