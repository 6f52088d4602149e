// Energy of a point with the particles of some cells, vectorised: one entry point per instruction
// set, all with the same bits (sim/core/gcmc_pair.h).
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/core/gcmc_pair.h"
#include "sim/exec/machine.h"

namespace cellscope {

// Cell c holds filled[c] particles. Entry k has its x word at
// word[c cellStride + k / 16 blockStride + k % 16], the y word axisStride further on, then the z
// word.
struct GcmcCellWords {
  const std::uint32_t* word;
  const std::uint32_t* filled;
  std::size_t cellStride, blockStride, axisStride;
};
// One cell after another, `capacity` (a multiple of 16) x words, as many y and z words in each.
inline GcmcCellWords gcmcCellsInRow(const std::uint32_t* word, const std::uint32_t* filled,
                                    std::uint32_t capacity) {
  return {word, filled, std::size_t{3} * capacity, 16, capacity};
}

struct GcmcEnergyVirial {
  double energy, virial;
};

// Where the energies of the particles of GcmcCellWords lie, in numbers for each particle.
struct GcmcCellEnergies {
  double* energy;
  std::size_t cellStride, blockStride;
};

// Sums over the particles of the cells within the cutoff, one at the point itself included.
using GcmcEnergyFunction = double (*)(const GcmcPair&, const GcmcCellWords&,
                                      const std::uint32_t* cells, int count, GcmcPoint at);
using GcmcBothFunction = GcmcEnergyVirial (*)(const GcmcPair&, const GcmcCellWords&,
                                              const std::uint32_t* cells, int count, GcmcPoint at);

// Adds `sign` times the pair energy with the point to the energy of each of these particles, and
// returns the sum of the pair energies.
using GcmcSpreadFunction = double (*)(const GcmcPair&, const GcmcCellWords&,
                                      const GcmcCellEnergies&, const std::uint32_t* cells,
                                      int count, GcmcPoint at, float sign);

struct GcmcCellFunctions {
  GcmcEnergyFunction energy;
  GcmcBothFunction both;
  GcmcSpreadFunction spread;
};

CELLSCOPE_FOR_SETS(const GcmcCellFunctions, gcmcCellFunctions);

}  // namespace cellscope
