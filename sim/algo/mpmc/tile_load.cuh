// Reading a tile with its margin into shared memory, once its neighbours have written it.
#pragma once
#include "sim/algo/mpmc/tile.cuh"

namespace cellscope::mpmc {

// Copies to shared memory without passing through registers (compute capability 8.0 on; plain loads
// and stores before).

// Of 4 or 8 bytes.
template <class T>
__device__ inline void copyAsync(T* to, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "n"(sizeof(T)));
#else
  *to = *from;
#endif
}
// Closes the group of copies made since the last call.
__device__ inline void closeCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits for all copies of this thread except the last kLater groups.
template <int kLater>
__device__ inline void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
#endif
}

// Signals that this block has written its tile; called by one thread, after a barrier.
__device__ inline void signalDone(const TileSweepArgs& a, std::uint32_t done) {
  std::uint32_t* flag = a.done + kFlagStride * (blockIdx.y * gridDim.x + blockIdx.x);
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(a.doneBefore + done)
               : "memory");
}

// Waits until the eight surrounding blocks have completed `done` sweeps; called by one warp, before
// a barrier.
__device__ inline void waitForNeighbours(const TileSweepArgs& a, std::uint32_t done) {
  const int c = threadIdx.x % 32;
  if (c >= 8) return;
  const int x = wrapRow(static_cast<int>(blockIdx.x) + stepX(c), gridDim.x);
  const int y = wrapRow(static_cast<int>(blockIdx.y) + stepY(c), gridDim.y);
  const std::uint32_t* flag = a.done + kFlagStride * (y * gridDim.x + x);
  std::uint32_t seen;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } while (static_cast<std::int32_t>(seen - (a.doneBefore + done)) < 0);
}

// A cell of the region: where it lies in shared memory and in the grid's arrays.
struct TileSource {
  int slot;
  unsigned cell;
};

// Cell number t of the region.
__device__ inline TileSource sourceOf(const TilePlan& plan, int t, int m) {
  const TileLayout& at = plan.at;
  const int row = divide(t, plan.reciprocalOfRegion), c = t - row * 2 * at.pairs;
  const int odd = c >= at.pairs, pair = c - (odd ? at.pairs : 0), x = plan.column[2 * pair + odd];
  return {row * at.row + (odd ? at.odd : 0) + pair,
          static_cast<unsigned>(plan.row[row]) * m + ((x + (odd ? m : 0)) >> 1)};
}

// Cells of the region that one working thread reads.
inline constexpr int kTileReads = (kTileCells + kTileWorkers - 1) / kTileWorkers;

// Read the region of a block, all slots in one round of loads, by the working threads. Only the
// shift needs ids: their copies may still be pending on return.
__device__ inline void loadTile(TileShared& tile, const TilePlan& plan, const DiskCellsView& from) {
  const int total = 2 * plan.at.pairs * plan.at.rows;
  const unsigned cells = static_cast<unsigned>(from.grid.cellCount());
  TileSource source[kTileReads];
  std::uint8_t count[kTileReads];
  const auto has = [&](int r) { return static_cast<int>(threadIdx.x + r * kTileWorkers) < total; };
#pragma unroll
  for (int r = 0; r < kTileReads; ++r) {
    if (!has(r)) continue;
    const TileSource& s = source[r] = sourceOf(plan, threadIdx.x + r * kTileWorkers, from.grid.m);
    count[r] = from.count[s.cell];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      copyAsync(&tile.region.disk[i][s.slot], from.disk + (i * cells + s.cell));
  }
  closeCopies();
#pragma unroll
  for (int r = 0; r < kTileReads; ++r) {
    if (!has(r)) continue;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      copyAsync(&tile.region.id[i][source[r].slot], from.id + (i * cells + source[r].cell));
  }
  closeCopies();
#pragma unroll
  for (int r = 0; r < kTileReads; ++r)
    if (has(r)) tile.count[source[r].slot] = count[r];
  waitForCopies<1>();
}

}  // namespace cellscope::mpmc
