// What the mappings of a sub-sweep share: how one is launched, and its counters.
#pragma once
#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/exec/atomic.h"

namespace cellscope::mpmc {

inline int divideUp(int a, int b) { return (a + b - 1) / b; }

struct SubSweepKernels {
  void (*fast)(SubSweepArgs);
  void (*recorded)(RecordedSubSweepArgs);  // writes every trial move of the traced disk
};

// Launch of one sub-sweep of a grid.
struct SubSweepLaunch {
  dim3 grid, block;
  SubSweepKernels kernels;
};

// Trial moves of one thread's cell.
struct TrialCounts {
  unsigned attempted = 0, accepted = 0, leftCell = 0;
};

// Add the counts of a warp to the totals of its block's number.
__device__ inline void addCounters(const SubSweepArgs& a, int set, const TrialCounts& counts) {
  unsigned sums[3] = {counts.attempted, counts.accepted, counts.leftCell};
  for (unsigned& sum : sums) sum = warpSum(sum);
  const int lane = (threadIdx.y * blockDim.x + threadIdx.x) & 31;
  if (lane < 3) {
    const int block = set * a.counterStride + blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned sum = lane == 0 ? sums[0] : lane == 1 ? sums[1] : sums[2];
    exec::addGlobal(&a.counters[block].total[lane], sum);
  }
}

}  // namespace cellscope::mpmc
