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

// A warp for each cell, whose particles search 32 at a time.
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32 * kWalkWarps)
    walkByCells(__grid_constant__ const WalkCells w) {
  const auto cell = static_cast<std::int32_t>(blockIdx.x * kWalkWarps + threadIdx.x / 32);
  if (cell >= w.of.grid.count()) return;
  ReadOnly read;
  for (std::uint32_t k = w.of.first[cell]; k < w.of.first[cell + 1]; k += 32)
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
