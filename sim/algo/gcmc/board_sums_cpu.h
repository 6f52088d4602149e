// Energy and virial of all pairs of particles in cells, vectorised.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/chain_simd.h"
#include "sim/algo/gcmc/parallel_functors.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

// Twice the sums of the particles of cell i with all around them, vectorised: cells lie as in
// gcmcCellsInRow().
struct GcmcBoardTwiceSums {
  const GcmcBoard& b;
  const GcmcCellFunctions& functions;

  GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const auto cell = static_cast<std::uint32_t>(i);
    if (b.held.filled[i] == 0 || !(b.rules.pair.cutoffSquared > 0)) return sums;
    std::vector<std::uint32_t> around;
    for (int j = 0; j < b.cube.cells(); ++j)
      around.push_back(gcmcCubeCell(b.cube, b.fromGrid(b.point(b.held, cell, 0)), j).cell);
    const GcmcCellWords words = gcmcCellsInRow(b.held.word, b.held.filled, b.capacity);
    const double self = gcmcPairEnergy(b.rules.pair, 0),
                 ownVirial = gcmcPairVirial(b.rules.pair, 0);
    for (std::uint32_t k = 0; k < b.held.filled[i]; ++k) {
      const GcmcEnergyVirial e =
          functions.both(b.rules.pair, words, around.data(), static_cast<int>(around.size()),
                         b.point(b.held, cell, k));
      sums.energy += e.energy - self, sums.virial += e.virial - ownVirial;
    }
    return sums;
  }
};

inline GcmcSums gcmcBoardSumsOnCpu(exec::CpuExec& exec, const GcmcBoard& b,
                                   const GcmcCellFunctions& functions) {
  exec::DeviceValue<GcmcSums> out(Backend::cpu);
  exec.reduce("energy of all pairs", b.cube.allCells(), GcmcSums{},
              GcmcBoardTwiceSums{b, functions}, GcmcAddSums{}, out, 64);
  const GcmcSums twice = exec.read(out);
  return {0.5 * twice.energy, 0.5 * twice.virial};
}

}  // namespace cellscope
