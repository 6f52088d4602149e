// Cell shift on CUDA (S3, Algorithm 4), for grids of four places: one thread per cell gathers the
// disks that stay and those that enter. Fewest bytes per cell and sweep at packing 0.698: 1.77 disks
// of 12 B read and written, 1 B of count read twice and written; empty places are neither read nor
// written unless the target holds an older disk there.
#pragma once
#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/core/mpmc_rules.h"

namespace cellscope::mpmc {

inline constexpr int kShiftThreads = 256;

__global__ void __launch_bounds__(kShiftThreads) shiftKernel(const ShiftArgs a) {
  const GridInfo g = a.from.grid;
  const CellShift shift = a.plan->schedule[a.local].shift;
  const int half = g.m / 2;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = a.rows.begin + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int y = wrapRow(row, g.m);
  const int x = column < half ? 2 * column : 2 * (column - half) + 1;
  const int fx = shiftStepX(shift.direction), fy = shiftStepY(shift.direction);
  const float dx = static_cast<float>(fx) * shift.d, dy = static_cast<float>(fy) * shift.d;
  const float sx = static_cast<float>(fx) * g.w, sy = static_cast<float>(fy) * g.w;
  const int cells = static_cast<int>(g.cellCount());
  const int own = y * g.m + column;
  const int neighbour = wrapRow(y + fy, g.m) * g.m + g.column(wrapRow(x + fx, g.m));

  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  if (column >= g.m || row >= a.rows.end) return;

  const int n = a.from.count[own], nNeighbour = a.from.count[neighbour];
  const int stale = a.to.count[own];
  int filled = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const bool entering = k >= 4;
    if ((k & 3) >= (entering ? nNeighbour : n)) continue;
    const int slot = (k & 3) * cells + (entering ? neighbour : own);
    Vec2 p = a.from.disk[slot];
    p = {p.x - dx, p.y - dy};
    if (insideCell(p.x, p.y, g.w) == entering) continue;
    if (entering) p = {p.x + sx, p.y + sy};
    const int target = filled++ * cells + own;
    a.to.disk[target] = p;
    a.to.id[target] = a.from.id[slot];
  }
  for (int i = filled; i < stale; ++i) {
    a.to.disk[i * cells + own] = {kEmptySlot, kEmptySlot};
    a.to.id[i * cells + own] = kNoId;
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
