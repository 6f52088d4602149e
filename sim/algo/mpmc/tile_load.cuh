// Reading a tile with its margin into shared memory, once its neighbours have written it.
#pragma once
#include "sim/algo/mpmc/tile.cuh"

namespace cellscope::mpmc {

// Say that this block has written its tile; by one thread, after a barrier.
__device__ inline void signalDone(const TileSweepArgs& a, std::uint32_t done) {
  std::uint32_t* flag = a.done + blockIdx.y * gridDim.x + blockIdx.x;
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(a.doneBefore + done)
               : "memory");
}

// Wait until the eight blocks around this one have done `done` sweeps; by one warp, before a
// barrier.
__device__ inline void waitForNeighbours(const TileSweepArgs& a, std::uint32_t done) {
  const int c = threadIdx.x % 32;
  if (c >= 8) return;
  const int x = wrapRow(static_cast<int>(blockIdx.x) + stepX(c), gridDim.x);
  const int y = wrapRow(static_cast<int>(blockIdx.y) + stepY(c), gridDim.y);
  const std::uint32_t* flag = a.done + y * gridDim.x + x;
  std::uint32_t seen;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } while (static_cast<std::int32_t>(seen - (a.doneBefore + done)) < 0);
}

// Copies of 8 and 4 bytes to shared memory without passing through registers.
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
// Copies made since the last call belong together.
__device__ inline void closeCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Wait for all copies of this thread but the last kLater groups.
template <int kLater>
__device__ inline void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
#endif
}

// Position in the grid's arrays of cell t of the region.
__device__ inline unsigned sourceOf(const TilePlan& plan, int t, int m) {
  const int width = 2 * plan.at.pairs, row = divide(t, plan.reciprocalOfRegion);
  const int c = t - row * width, odd = c >= plan.at.pairs;
  const int x = plan.column[2 * (c - (odd ? plan.at.pairs : 0)) + odd];
  return static_cast<unsigned>(plan.row[row]) * m + ((x + (odd ? m : 0)) >> 1);
}

// Read the region of a block, all places in one round of loads. Only the shift needs identities:
// those that the working threads ask for may still be on their way when this returns.
__device__ inline void loadTile(TileShared& tile, const TilePlan& plan, const DiskCellsView& from) {
  const int total = 2 * plan.at.pairs * plan.at.rows;
  const unsigned cells = static_cast<unsigned>(from.grid.cellCount());
  for (int t = threadIdx.x; t < total; t += kTileThreads) {
    const unsigned source = sourceOf(plan, t, from.grid.m);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      copyAsync(&tile.region.disk[i][t], from.disk + (i * cells + source));
    tile.count[t] = from.count[source];
  }
  closeCopies();
  for (int t = threadIdx.x; t < total && threadIdx.x < kTileWorkers; t += kTileWorkers) {
    const unsigned source = sourceOf(plan, t, from.grid.m);
#pragma unroll
    for (int i = 0; i < 4; ++i) copyAsync(&tile.region.id[i][t], from.id + (i * cells + source));
  }
  closeCopies();
  waitForCopies<1>();
}

}  // namespace cellscope::mpmc
