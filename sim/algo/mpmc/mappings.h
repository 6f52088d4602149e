// Mapping of cells to threads on CUDA. Results do not depend on it; the CPU has a single mapping.
#pragma once
#include <array>

namespace cellscope {

enum class MpmcMapping {
  threadPerCell,       // S3, Algorithm 2: one thread per active cell
  threadPerNeighbour,  // S3, section 5.2: eight threads per active cell share its neighbours
  residentTiles  // four threads per active cell; a thread block keeps a tile of cells in shared
                 // memory for many sweeps. Small systems with n_M = 4; others run as
                 // threadPerNeighbour
};

struct MpmcMappingInfo {
  MpmcMapping mapping;
  const char* key;  // value of the parameter `mapping`
};

// All mappings, in the order of MpmcMapping.
inline constexpr std::array<MpmcMappingInfo, 3> kMpmcMappings = {{
    {MpmcMapping::threadPerCell, "thread_per_cell"},
    {MpmcMapping::threadPerNeighbour, "thread_per_neighbour"},
    {MpmcMapping::residentTiles, "resident_tiles"},
}};

}  // namespace cellscope
