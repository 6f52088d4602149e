// What the searches of the standard cell list by warps read, without distances, to be timed: the
// particles around a cell are read once for all those that search together.
#pragma once
#include "sim/algo/neighbours/cell_kernels.h"

namespace cellscope {

inline constexpr unsigned kWalkWarps = 4;  // of a block

// All particles in the cells around that of sorted particle k, 32 at once.
__device__ __forceinline__ void readAround(const ListFromCells& l, std::uint32_t k,
                                           ReadOnly& read) {
  forRunsAround(l.grid, l.first, l.at(k), [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t m = begin + threadIdx.x % 32; m < end; m += 32) {
      const ParticleRecord q = l.at(m);
      read.take(q.x, q.y, q.z);
    }
  });
}

// This number of warps per cell, each of which reads for its share of the particles, 32 at most at
// a time.
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32)
    walkByCells(__grid_constant__ const WalkCells w, std::uint32_t warps) {
  const std::uint32_t cell = blockIdx.x / warps;
  const std::uint32_t begin = w.of.first[cell], end = w.of.first[cell + 1];
  const std::uint32_t share = min((end - begin + warps - 1) / warps, 32u);
  ReadOnly read;
  for (std::uint32_t k = begin + blockIdx.x % warps * share; k < end; k += warps * share)
    readAround(w.of, k, read);
  read.end(w.unread);
}

// A warp for `together` sorted particles, of which those in one cell search together.
template <int together>
__global__ void __launch_bounds__(32 * kWalkWarps)
    walkByWarps(__grid_constant__ const WalkCells w, std::uint32_t n) {
  const std::uint32_t first = (blockIdx.x * kWalkWarps + threadIdx.x / 32) * together;
  ReadOnly read;
  std::int32_t before = -1;
  for (std::uint32_t k = first; k < min(first + together, n); ++k) {
    const std::int32_t cell = w.of.grid.indexOf(w.of.at(k));
    if (cell != before) readAround(w.of, k, read);
    before = cell;
  }
  read.end(w.unread);
}

}  // namespace cellscope
