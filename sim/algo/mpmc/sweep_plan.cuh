// Input of the kernels of a batch of sweeps, written once per batch on the device.
#pragma once
#include <type_traits>

#include "sim/algo/mpmc/stored_cells.h"
#include "sim/core/checkerboard.h"
#include "sim/core/rng.h"
#include "sim/exec/atomic.h"
#include "sim/exec/status.h"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope::mpmc {

// Programmatic dependent launch (compute capability 9.0 on): the next launch may begin its
// preamble, and this one waits until everything before it is complete and visible. Nothing on older
// devices, where launches follow each other.
__device__ inline void letNextLaunchBegin() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ inline void waitForLaunchBefore() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

inline constexpr int kBatch = 32;       // sweeps in one CUDA graph
inline constexpr int kFlagStride = 32;  // numbers: flags in different cache lines

// Set by the host before a batch.
struct BatchInput {
  MpmcParameters parameters;
  std::uint64_t firstSweep;
};

// Derived on the device at the start of a batch.
struct SweepPlan {
  float scale;  // d / 32768
  std::int32_t nMoves;
  std::int32_t shuffleParticles;
  std::uint64_t firstSweep;
  SweepSchedule schedule[kBatch];
};

// Totals of one set over the thread blocks of one number: attempted, accepted, left the cell.
struct BlockCounters {
  unsigned long long total[3];
};

struct SubSweepArgs {
  DiskCellsView cells;
  RoundKeys keys;  // kernel arguments are free as instruction operands
  Vec2* slot[4];   // disks of each slot: cells.disk + i m^2
  const SweepPlan* plan;
  std::int32_t local;       // sweep of the batch
  std::int32_t position;    // sub-sweep of the sweep: which set is read from the schedule
  BlockCounters* counters;  // [set * counterStride + block]
  std::int32_t counterStride;
  bool backwards;  // last rows first; one thread per cell only
};

// Of the recording instances of the kernels.
struct RecordedSubSweepArgs : SubSweepArgs {
  MpmcTrace trace;
};
template <bool kRecorded>
using SubSweepArgsOf = std::conditional_t<kRecorded, RecordedSubSweepArgs, SubSweepArgs>;

struct ShiftArgs {
  DiskCellsView from, to;
  const SweepPlan* plan;
  std::int32_t local;
  bool backwards;  // last rows first
  exec::StatusWord* status;
};

__device__ inline int wrapRow(int y, int m) { return y < 0 ? y + m : (y >= m ? y - m : y); }

// The active cell of a thread and where its neighbourhood lies in memory.
struct ActiveCell {
  int x, y;
  bool inside;
  unsigned column[3];  // of x - 1, x, x + 1
  unsigned row[3];     // row start of y - 1, y, y + 1

  // Index of neighbour k = 3 (dy + 1) + (dx + 1) in per-cell arrays.
  __device__ unsigned cell(int k) const { return row[k / 3] + column[k % 3]; }
};

// Recorder of a thread of a recording instance for its cell of n disks; empty in a fast instance.
template <bool kRecorded>
__device__ inline auto traceOf(const SubSweepArgsOf<kRecorded>& a, const ActiveCell& active,
                               int n) {
  if constexpr (kRecorded)
    return CellTrace<StoredCells>(a.trace, {a.cells, active.x, active.y}, n,
                                  traceStage(a.plan->firstSweep + a.local, a.position),
                                  a.cells.grid.id(active.x, active.y));
  else
    return NoTrace{};
}

// Column pair i, active row j of those that take part. Threads beyond the grid get some cell of the
// set, which they may read. Even x = 2 i is column i, odd x = 2 i + 1 is column m/2 + i.
__device__ inline ActiveCell activeCell(const GridInfo& g, int set, int i, int j) {
  const int half = g.m / 2, odd = set & 1;
  j += g.firstPair();
  const bool inside = i < half && j < g.endPair();
  if (!inside) i = 0, j = g.firstPair();
  const int y = 2 * j + (set >> 1);
  ActiveCell a;
  a.x = 2 * i + odd;
  a.y = y;
  a.inside = inside;
  const int before = i == 0 ? half - 1 : i - 1, after = i + 1 == half ? 0 : i + 1;
  a.column[0] = odd ? i : half + before;
  a.column[1] = odd ? half + i : i;
  a.column[2] = odd ? after : half + i;
  a.row[0] = static_cast<unsigned>(y == 0 ? g.rows() - 1 : y - 1) * g.m;
  a.row[1] = static_cast<unsigned>(y) * g.m;
  a.row[2] = static_cast<unsigned>(y + 1 == g.rows() ? 0 : y + 1) * g.m;
  return a;
}

// What the mappings of a sub-sweep share: how one is launched, and its counters.

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
__device__ inline void addCounters(const SubSweepArgs& a, int set, int block,
                                   const TrialCounts& counts) {
  unsigned sums[3] = {counts.attempted, counts.accepted, counts.leftCell};
  for (unsigned& sum : sums) sum = exec::addOverWarp(sum);
  const int lane = (threadIdx.y * blockDim.x + threadIdx.x) & 31;
  if (lane < 3) {
    const unsigned sum = lane == 0 ? sums[0] : lane == 1 ? sums[1] : sums[2];
    exec::addGlobal(&a.counters[set * a.counterStride + block].total[lane], sum);
  }
}

}  // namespace cellscope::mpmc
