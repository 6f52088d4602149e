// Cell shift on CUDA (S3, Algorithm 4), for grids of four places: one thread per cell gathers the
// disks that stay and those that enter. Fewest bytes per cell and sweep at packing 0.698: 1.77
// disks of 12 B read and written, 1 B of count read twice and written; empty places are neither
// read nor written unless the target holds an older disk there.
#pragma once
#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/core/mpmc_rules.h"

namespace cellscope::mpmc {

inline constexpr int kShiftThreads = 256;

// Load of data that is dead after the shift: first to leave the cache.
__device__ inline Vec2 readOnce(const Vec2* p) {
  const float2 v = __ldcs(reinterpret_cast<const float2*>(p));
  return {v.x, v.y};
}

// A thread block covers 32 pairs of neighbouring columns (even and odd x) of four rows, so that
// most neighbours are read by the same block.
inline constexpr int kShiftPairs = 32;

__global__ void __launch_bounds__(kShiftThreads) shiftKernel(const ShiftArgs a) {
  __shared__ Vec2 disks[4][kShiftThreads];
  __shared__ std::uint32_t ids[4][kShiftThreads];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const GridInfo g = a.from.grid;
  const CellShift shift = a.plan->schedule[a.local].shift;
  const int half = g.m / 2;
  const int odd = threadIdx.x / kShiftPairs;
  const int pair = blockIdx.x * kShiftPairs + threadIdx.x % kShiftPairs;
  const int row = a.rows.begin + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int y = wrapRow(row, g.m), x = 2 * pair + odd;
  const int fx = shiftStepX(shift.direction), fy = shiftStepY(shift.direction);
  const float dx = static_cast<float>(fx) * shift.d, dy = static_cast<float>(fy) * shift.d;
  const float sx = static_cast<float>(fx) * g.w, sy = static_cast<float>(fy) * g.w;
  const unsigned cells = static_cast<unsigned>(g.cellCount());
  const unsigned own = y * g.m + pair + odd * half;
  const unsigned neighbour = wrapRow(y + fy, g.m) * g.m + g.column(wrapRow(x + fx, g.m));

  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  if (pair >= half || row >= a.rows.end) return;

  const int n = a.from.count[own], nNeighbour = a.from.count[neighbour];
  const int stale = a.to.count[own];
  Vec2 disk[8];
  std::uint32_t id[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned slot = (k & 3) * cells + (k < 4 ? own : neighbour);
    const bool full = (k & 3) < (k < 4 ? n : nNeighbour);
    disk[k] = {kEmptySlot, kEmptySlot};
    if ((k & 3) < 2 || full) {  // the first two places are read without waiting for the counts
      disk[k] = readOnce(a.from.disk + slot);
      id[k] = __ldcs(a.from.id + slot);
    }
  }
  int filled = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const bool entering = k >= 4;
    Vec2 p = {disk[k].x - dx, disk[k].y - dy};
    if ((k & 3) >= (entering ? nNeighbour : n) || insideCell(p.x, p.y, g.w) == entering) continue;
    if (entering) p = {p.x + sx, p.y + sy};
    disks[filled][thread] = p;
    ids[filled][thread] = id[k];
    ++filled;
  }
  // Gathered first and stored place by place: a warp then writes whole sectors.
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const bool full = i < filled;
    if (!full && i >= stale) continue;
    a.to.disk[i * cells + own] = full ? disks[i][thread] : Vec2{kEmptySlot, kEmptySlot};
    a.to.id[i * cells + own] = full ? ids[i][thread] : kNoId;
  }
  a.to.count[own] = static_cast<std::uint8_t>(filled);
}

// First kernel of a batch: the schedule of each of its sweeps.
__global__ void planKernel(const BatchInput* input, float w, SweepPlan* plan) {
  const int local = threadIdx.x;
  const MpmcParameters& p = input->parameters;
  if (local == 0) {
    plan->key = hashSeed(p.seed);
    plan->scale = p.d / 32768.0f;
    plan->nMoves = p.nMoves;
    plan->shuffleParticles = !p.experiments.noParticleShuffle;
    plan->firstSweep = input->firstSweep;
  }
  plan->schedule[local] = scheduleOfSweep(p, w, input->firstSweep + local);
}

}  // namespace cellscope::mpmc
