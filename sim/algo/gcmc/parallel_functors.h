// Work on all particles of a chain: binning, sums over unique pairs, energies at points.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/step.h"
#include "sim/exec/atomic.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Puts particle i into its cell (S0, 3.2.1); `most` becomes the largest number in a cell. Entries
// beyond the capacity are only counted.
struct GcmcBin {
  GcmcGrid grid;
  const GcmcPoint* point;
  std::uint32_t* most;
  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t cell = grid.cube.cellOf(point[i]);
    const std::uint32_t k = exec::addGlobal(grid.filled + cell, 1);
    if (k < grid.capacity) grid.at(cell, k) = static_cast<std::uint32_t>(i);
    exec::maxGlobal(most, k + 1);
  }
};

HOST_DEVICE void gcmcAddPair(const GcmcPair& pair, GcmcPoint p, GcmcPoint q, GcmcSums& sums) {
  const GcmcReduced d = gcmcReduced(pair, p, q);
  if (!(d.r2 < pair.cutoffSquared)) return;
  sums.energy += gcmcPairEnergy(pair, d.r2, d.epsilon);
  sums.virial += gcmcPairVirial(pair, d.r2, d.epsilon);
}

// Pairs of particle i, each pair once. Without cells: with the n / 2 that follow it in a ring, so
// that all have the same work (S0, 3.1.1); with cells: with those of lower slots in its cube.
struct GcmcPairsOf {
  GcmcArrays a;
  HOST_DEVICE GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const auto slot = static_cast<std::uint32_t>(i);
    const GcmcPoint p = a.point[slot];
    if (a.grid.capacity == 0) {
      const std::uint32_t n = a.head->n;
      const std::uint32_t half = (n - 1) / 2 + (n % 2 == 0 && slot < n / 2 ? 1 : 0);
      for (std::uint32_t k = 1, j = slot; k <= half; ++k) {
        j = j + 1 < n ? j + 1 : 0;
        gcmcAddPair(a.rules.pair, p, a.point[j], sums);
      }
      return sums;
    }
    for (int k = 0; k < a.grid.cube.cells(); ++k) {
      const std::uint32_t cell = gcmcCubeCell(a.grid.cube, p, k).cell;
      for (std::uint32_t e = 0; e < a.grid.filled[cell]; ++e) {
        const std::uint32_t j = a.grid.at(cell, e);
        if (j < slot) gcmcAddPair(a.rules.pair, p, a.point[j], sums);
      }
    }
    return sums;
  }
};

// Energy of one more particle at each point.
struct GcmcEnergyAt {
  GcmcArrays a;
  const GcmcPoint* at;
  double* energy;
  HOST_DEVICE void operator()(std::size_t i) const {
    const GcmcPoint p = at[i];
    double u = 0;
    if (a.grid.capacity == 0) {
      for (std::uint32_t j = 0; j < a.head->n; ++j) u += gcmcPairAt(a.rules.pair, p, a.point[j]);
    } else {
      for (int k = 0; k < a.grid.cube.cells(); ++k) {
        const std::uint32_t cell = gcmcCubeCell(a.grid.cube, p, k).cell;
        for (std::uint32_t e = 0; e < a.grid.filled[cell]; ++e)
          u += gcmcPairAt(a.rules.pair, p, a.point[a.grid.at(cell, e)]);
      }
    }
    energy[i] = u;
  }
};

// A change of the head of a chain by the host, in the order of the other work.
template <class Head>
struct GcmcAsk {
  Head* head;
  std::uint64_t end;
  HOST_DEVICE void operator()(std::size_t) const {
    head->end = end;
    head->stopped = 0;
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
