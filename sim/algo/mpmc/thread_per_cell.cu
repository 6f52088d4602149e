// Sub-sweep on CUDA, one thread per active cell (S3, Algorithm 2), for grids of four slots.
#include "sim/algo/mpmc/cell_update.cuh"

namespace cellscope::mpmc {
namespace {

// kMoves: n_M when known at compile time, otherwise 0.
template <int kMoves, int kThreads, int kBlocks, bool kRecorded = false>
__global__ void __launch_bounds__(kThreads, kBlocks)
    subSweepKernel(const __grid_constant__ SubSweepArgsOf<kRecorded> a) {
  letNextLaunchBegin();
  __shared__ WarpShared<kMoves> shared[kThreads / kWarp];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const SweepPlan& plan = *a.plan;
  const int set = plan.schedule[a.local].set[a.position];
  const int blockY = a.backwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
  const ActiveCell active = activeCell(a.cells.grid, set, blockIdx.x * blockDim.x + threadIdx.x,
                                       blockY * blockDim.y + threadIdx.y);
  updateCell<kMoves, kRecorded>(
      a, {set, plan.firstSweep + a.local, plan.scale, plan.nMoves, plan.shuffleParticles != 0},
      active, kVisitOrders, shared[thread / kWarp], thread % kWarp,
      blockIdx.y * gridDim.x + blockIdx.x, [] { waitForLaunchBefore(); });
}

constexpr int kThreads = 128;
constexpr int kColumns = 32;  // columns of active cells per thread block

dim3 gridOf(const GridInfo& grid) {
  return dim3(divideUp(grid.m / 2, kColumns),
              divideUp(grid.endPair() - grid.firstPair(), kThreads / kColumns));
}

// Room for five or seven blocks a multiprocessor: five fill whole waves of about 10^6 disks, seven
// hide more latency in larger systems.
constexpr std::size_t kLargeGrid = 2'000'000;  // cells

template <int kMoves>
SubSweepKernels kernelsFor(const GridInfo& grid) {
  return {grid.cellCount() > kLargeGrid ? subSweepKernel<kMoves, kThreads, 7>
                                        : subSweepKernel<kMoves, kThreads, 5>,
          subSweepKernel<kMoves, kThreads, 1, true>};
}

}  // namespace

SubSweepLaunch threadPerCell(const GridInfo& grid, bool fourMoves) {
  return {gridOf(grid), dim3(kColumns, kThreads / kColumns),
          fourMoves ? kernelsFor<4>(grid) : kernelsFor<0>(grid)};
}

}  // namespace cellscope::mpmc
