// Sorting slots by their cells (CellOrder, cell_grid.h) on a GPU.
#pragma once
#include "sim/algo/neighbours/cell_grid.h"

namespace cellscope {
namespace cell_order {

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kCellWarps = 4;  // of a block that sorts within cells

// Cell of each slot, how many each cell has, and which of these a slot is, in `slot`. Slots of one
// cell that are next to each other are counted together.
template <class Order>
__global__ void __launch_bounds__(kThreads)
    countSlots(__grid_constant__ const Order o, std::uint32_t n) {
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

template <class Order>
__global__ void __launch_bounds__(kThreads)
    placeSlots(__grid_constant__ const Order o, std::uint32_t n) {
  const std::uint32_t k = blockIdx.x * kThreads + threadIdx.x;
  if (k >= n) return;
  const std::uint32_t i = o.some.at(k);
  auto& key = o.unsorted[o.first[o.cell[i]] + o.slot[i]];
  key = i;
  if constexpr (sizeof(key) == 8)  // x is never negative
    key |= std::uint64_t{__float_as_uint(o.record.now()[i].x)} << 32;
}

template <class Order>
__device__ __forceinline__ void putSlot(const Order& o, std::uint32_t place, std::uint32_t slot) {
  o.slot[place] = slot;
  if (o.sorted) o.sorted[place] = o.record.now()[slot];
}

template <class Key>
struct alignas(2 * sizeof(Key)) TwoKeys {
  Key a, b;
};

// Slots `begin` to `end` of the order, which are in one cell: each comes after as many as are less.
// A warp holds two of each lane at a time, and reads all in turn.
template <class Grid, class Records, class Key>
__device__ __forceinline__ void sortCell(const CellOrder<Grid, Records, Key>& o,
                                         std::uint32_t begin, std::uint32_t end,
                                         TwoKeys<Key> (&shared)[32]) {
  const std::uint32_t lane = threadIdx.x % 32;
  const auto at = [&](std::uint32_t k) { return k < end ? o.unsorted[k] : ~Key{0}; };
  for (std::uint32_t own = begin + lane; own - lane < end; own += 64) {
    const Key a = at(own), b = at(own + 32);
    std::uint32_t beforeA = 0, beforeB = 0;
    for (std::uint32_t from = begin; from < end; from += 64) {
      __syncwarp();
      shared[lane] = {at(from + 2 * lane), at(from + 2 * lane + 1)};
      __syncwarp();
      const std::uint32_t pairs = (min(end - from, 64u) + 1) / 2;
      for (std::uint32_t s = 0; s < pairs; ++s) {
        const TwoKeys<Key> q = shared[s];
        beforeA += (q.a < a ? 1 : 0) + (q.b < a ? 1 : 0);
        beforeB += (q.a < b ? 1 : 0) + (q.b < b ? 1 : 0);
      }
    }
    if (own < end) putSlot(o, begin + beforeA, static_cast<std::uint32_t>(a));
    if (own + 32 < end) putSlot(o, begin + beforeB, static_cast<std::uint32_t>(b));
  }
}

// A warp for each cell. few: cells have about one slot, and a thread sorts each; the warp sorts the
// few cells that have many slots, one after the other.
template <bool few, class Grid, class Records, class Key>
__global__ void __launch_bounds__(32 * kCellWarps)
    sortWithinCells(__grid_constant__ const CellOrder<Grid, Records, Key> o, std::uint32_t cells) {
  __shared__ TwoKeys<Key> shared[kCellWarps][32];
  constexpr std::uint32_t kMany = 8;
  const std::uint32_t warp = threadIdx.x / 32;
  if constexpr (!few) {
    const std::uint32_t cell = blockIdx.x * kCellWarps + warp;
    if (cell < cells) sortCell(o, o.first[cell], o.first[cell + 1], shared[warp]);
  } else {
    const std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t begin = cell < cells ? o.first[cell] : 0;
    const std::uint32_t end = cell < cells ? o.first[cell + 1] : 0;
    const bool alone = end - begin <= kMany;
    for (std::uint32_t own = begin; alone && own < end; ++own) {
      const Key a = o.unsorted[own];
      std::uint32_t before = 0;
      for (std::uint32_t k = begin; k < end; ++k) before += o.unsorted[k] < a ? 1 : 0;
      putSlot(o, begin + before, static_cast<std::uint32_t>(a));
    }
    for (unsigned left = __ballot_sync(0xffffffffu, !alone); left != 0; left &= left - 1) {
      const int lane = __ffs(static_cast<int>(left)) - 1;
      sortCell(o, __shfl_sync(0xffffffffu, begin, lane), __shfl_sync(0xffffffffu, end, lane),
               shared[warp]);
    }
  }
}

}  // namespace cell_order

// Does not wait.
template <class Exec, class Grid, class Records, class Key>
void sortByCells(Exec& exec, const CellOrder<Grid, Records, Key>& o, std::size_t all) {
  using namespace cell_order;
  const auto cells = static_cast<std::uint32_t>(o.grid.count());
  const auto slots = static_cast<std::uint32_t>(o.some.of(all));
  const unsigned blocks = (slots + kThreads - 1) / kThreads;
  exec.fill("order: no slots", o.first, cells, 0u);
  exec.launch("order: count",
              [&] { countSlots<<<blocks, kThreads, 0, exec.stream()>>>(o, slots); });
  exec.offsets("order: first", o.first, o.first, cells);
  exec.launch("order: place",
              [&] { placeSlots<<<blocks, kThreads, 0, exec.stream()>>>(o, slots); });
  exec.launch("order: within cells", [&] {
    const bool few = slots < 2 * std::size_t{cells};
    const auto kernel = few ? sortWithinCells<true, Grid, Records, Key>
                            : sortWithinCells<false, Grid, Records, Key>;
    const std::uint32_t ofBlock = (few ? 32 : 1) * kCellWarps;
    kernel<<<(cells - 1) / ofBlock + 1, 32 * kCellWarps, 0, exec.stream()>>>(o, cells);
  });
}

}  // namespace cellscope
