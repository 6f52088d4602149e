// What the kernels of a batch of sweeps read: written once per batch on the device.
#pragma once
#include <cstdint>

#include "sim/core/checkerboard.h"
#include "sim/core/rng.h"

namespace cellscope::mpmc {

inline constexpr int kBatch = 32;  // sweeps in one CUDA graph

// Set by the host before a batch.
struct BatchInput {
  MpmcParameters parameters;
  std::uint64_t firstSweep;
};

// Derived on the device at the start of a batch.
struct SweepPlan {
  RngKey key;
  float scale;  // d / 32768
  std::int32_t nMoves;
  std::int32_t shuffleParticles;
  std::uint64_t firstSweep;
  SweepSchedule schedule[kBatch];
};

// Rows of cells [begin, end) that a launch covers; may reach beyond [0, m) and is wrapped.
struct RowRange {
  std::int32_t begin, end;
};

// Totals of one set over the thread blocks of one number: attempted, accepted, left the cell.
struct BlockCounters {
  unsigned long long total[3];
};

struct SubSweepArgs {
  DiskCellsView cells;
  const SweepPlan* plan;
  std::int32_t local;     // sweep of the batch
  std::int32_t position;  // sub-sweep of the sweep: which set is read from the schedule
  RowRange rows;
  BlockCounters* counters;  // [set * counterStride + counterBase + block]
  std::int32_t counterStride;
  std::int32_t counterBase;
};

struct ShiftArgs {
  DiskCellsView from, to;
  const SweepPlan* plan;
  std::int32_t local;
  RowRange rows;
};

// The active cell of a thread: column pair index i, active row j of the range. Threads beyond the
// range get some cell of the set, which they may read.
struct ActiveCell {
  int x, y;
  bool inside;
};

__device__ inline int wrapRow(int y, int m) { return y < 0 ? y + m : (y >= m ? y - m : y); }

__device__ inline ActiveCell activeCell(const GridInfo& g, RowRange rows, int set, int i, int j) {
  const int first = rows.begin + ((rows.begin ^ (set >> 1)) & 1);
  const int y = first + 2 * j;
  if (i >= g.m / 2 || y >= rows.end) return {set & 1, set >> 1, false};
  return {2 * i + (set & 1), wrapRow(y, g.m), true};
}

}  // namespace cellscope::mpmc
