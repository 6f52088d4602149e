// Energy of a point with the particles of some cells, vectorised: one entry point per instruction
// set, all with the same bits (sim/core/gcmc_pair.h).
#pragma once
#include <cstdint>
#include <string>

#include "sim/core/gcmc_pair.h"

namespace cellscope {

// Cell c holds filled[c] particles: their x words begin at word[3 c capacity], the y words capacity
// further on, then the z words. capacity is a multiple of 16.
struct GcmcCellWords {
  const std::uint32_t* word;
  const std::uint32_t* filled;
  std::uint32_t capacity;
};

struct GcmcEnergyVirial {
  double energy, virial;
};

// Sums over the particles of the cells within the cutoff, one at the point itself included.
using GcmcEnergyFunction = double (*)(const GcmcPair&, const GcmcCellWords&,
                                      const std::uint32_t* cells, int count, GcmcPoint at);
using GcmcBothFunction = GcmcEnergyVirial (*)(const GcmcPair&, const GcmcCellWords&,
                                              const std::uint32_t* cells, int count, GcmcPoint at);

struct GcmcCellFunctions {
  GcmcEnergyFunction energy;
  GcmcBothFunction both;
};

namespace simd_sse2 {
GcmcCellFunctions gcmcCellFunctions();
}
namespace simd_avx2 {
GcmcCellFunctions gcmcCellFunctions();
}
namespace simd_avx512 {
GcmcCellFunctions gcmcCellFunctions();
}

// Those of an instruction set (exec::instructionSet); "scalar" has those of SSE2.
GcmcCellFunctions gcmcCellFunctionsFor(const std::string& instructions = "");

}  // namespace cellscope
