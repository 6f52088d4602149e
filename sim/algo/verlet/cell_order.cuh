// Sorting slots by their cells (cell_order.h) on a GPU.
#pragma once
#include "sim/algo/verlet/step_control.h"

namespace cellscope {
namespace cell_order {

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kCellWarps = 4;  // of a block that sorts within cells

// Cell of each slot, how many each cell has, and which of these a slot is, in `slot`. Slots of one
// cell that are next to each other are counted together.
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(kThreads)
    countSlots(__grid_constant__ const CellOrder o, std::uint32_t n) {
  constexpr std::uint32_t kNone = ~0u;
  const std::uint32_t k = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32;
  const std::uint32_t i = k < n ? o.some.at(k) : 0;
  const std::uint32_t cell =
      k < n ? static_cast<std::uint32_t>(o.grid.indexOf(o.record.now()[i])) : kNone;
  const std::uint32_t same = __match_any_sync(0xffffffffu, cell);
  const int speaker = __ffs(static_cast<int>(same)) - 1;
  std::uint32_t before = 0;
  if (k < n && static_cast<int>(lane) == speaker)
    before = atomicAdd(o.first + cell, static_cast<std::uint32_t>(__popc(same)));
  before = __shfl_sync(0xffffffffu, before, speaker);
  if (k >= n) return;
  o.cell[i] = cell;
  o.slot[i] = before + static_cast<std::uint32_t>(__popc(same & ((1u << lane) - 1)));
}

template <int>
__global__ void __launch_bounds__(kThreads)
    placeSlots(__grid_constant__ const CellOrder o, std::uint32_t n) {
  const std::uint32_t k = blockIdx.x * kThreads + threadIdx.x;
  if (k >= n) return;
  const std::uint32_t i = o.some.at(k);
  const std::uint64_t x = __float_as_uint(o.record.now()[i].x);  // never negative
  o.unsorted[o.first[o.cell[i]] + o.slot[i]] = x << 32 | i;
}

// Those of a cell by x: each has as many before it as are less. A warp for each cell, which holds
// two of each lane at a time, and reads all in turn.
template <int>
__global__ void __launch_bounds__(32 * kCellWarps)
    sortWithinCells(__grid_constant__ const CellOrder o, std::uint32_t cells) {
  __shared__ ulonglong2 shared[kCellWarps][32];
  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::uint32_t cell = blockIdx.x * kCellWarps + warp;
  if (cell >= cells) return;
  const std::uint32_t begin = o.first[cell], end = o.first[cell + 1];
  const auto at = [&](std::uint32_t k) { return k < end ? o.unsorted[k] : ~std::uint64_t{0}; };
  for (std::uint32_t own = begin + lane; own - lane < end; own += 64) {
    const std::uint64_t a = at(own), b = at(own + 32);
    std::uint32_t beforeA = 0, beforeB = 0;
    for (std::uint32_t from = begin; from < end; from += 64) {
      __syncwarp();
      shared[warp][lane] = {at(from + 2 * lane), at(from + 2 * lane + 1)};
      __syncwarp();
      const std::uint32_t pairs = (min(end - from, 64u) + 1) / 2;
      for (std::uint32_t s = 0; s < pairs; ++s) {
        const ulonglong2 q = shared[warp][s];
        beforeA += (q.x < a ? 1 : 0) + (q.y < a ? 1 : 0);
        beforeB += (q.x < b ? 1 : 0) + (q.y < b ? 1 : 0);
      }
    }
    if (own < end) o.slot[begin + beforeA] = static_cast<std::uint32_t>(a);
    if (own + 32 < end) o.slot[begin + beforeB] = static_cast<std::uint32_t>(b);
  }
}

}  // namespace cell_order

// Does not wait.
template <class Exec>
void sortByCells(Exec& exec, const CellOrder& o, std::size_t all) {
  using namespace cell_order;
  const auto cells = static_cast<std::uint32_t>(o.grid.count());
  const auto slots = static_cast<std::uint32_t>(o.some.of(all));
  const unsigned blocks = (slots + kThreads - 1) / kThreads;
  exec.fill("order: no slots", o.first, cells, 0u);
  exec.launch("order: count",
              [&] { countSlots<0><<<blocks, kThreads, 0, exec.stream()>>>(o, slots); });
  exec.offsets("order: first", o.first, o.first, cells);
  exec.launch("order: place",
              [&] { placeSlots<0><<<blocks, kThreads, 0, exec.stream()>>>(o, slots); });
  exec.launch("order: within cells", [&] {
    sortWithinCells<0>
        <<<(cells + kCellWarps - 1) / kCellWarps, 32 * kCellWarps, 0, exec.stream()>>>(o, cells);
  });
}

}  // namespace cellscope
