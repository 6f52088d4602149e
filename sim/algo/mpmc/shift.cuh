// Cell shift on CUDA (S3, Algorithm 4), for grids of four slots: one thread per cell gathers the
// disks that stay and those that enter. Fewest bytes per cell and sweep at packing 0.698: 1.77
// disks of 12 B read and written, 1 B of count read twice and written, 45 B. Whole 32 B sectors of
// sparse slots make it about 70 B.
#pragma once
#include "sim/algo/mpmc/sweep_plan.cuh"

namespace cellscope::mpmc {

inline constexpr int kShiftThreads = 256;

// Load of data not needed after the shift: evicted from the cache first.
__device__ inline Vec2 readOnce(const Vec2* p) {
  const float2 v = __ldcs(reinterpret_cast<const float2*>(p));
  return {v.x, v.y};
}

// A thread block covers 32 pairs of neighbouring columns (even and odd x) of four rows, so that
// many neighbours are read by the same block. Exchanging the leaving disks through shared memory
// halves the loads, but the barrier costs more at 10^6 disks than it saves at 10^7.
inline constexpr int kShiftPairs = 32;
inline constexpr int kShiftRows = kShiftThreads / (2 * kShiftPairs);

// Only the coordinate along the axis of the shift decides which disks stay. The axis is known to
// the compiler: a reference to either coordinate would send all disks through local memory.
template <bool kAlongY>
struct ShiftAxis {
  float step, turn, w;  // -f d, and f w more for a disk that enters

  // True when a disk is then outside its cell.
  __device__ bool move(Vec2& p) const {
    float& u = kAlongY ? p.y : p.x;
    u += step;
    // Negative numbers are large when compared without sign.
    return __float_as_uint(u) >= __float_as_uint(w);
  }
  __device__ void enter(Vec2& p) const { (kAlongY ? p.y : p.x) += turn; }
};

// Disks gathered for one cell per thread before they are stored. Guarded: more than four are
// possible; those beyond four are only counted.
template <bool kGuarded>
struct GatheredCell {
  Vec2 (*disk)[kShiftThreads];
  std::uint32_t (*id)[kShiftThreads];
  int filled = 0;
  __device__ void take(Vec2 p, std::uint32_t i) {
    if (kGuarded && filled >= 4) {
      ++filled;
      return;
    }
    (*disk)[0] = p;
    (*id)[0] = i;
    ++disk, ++id, ++filled;
  }
};

// Shared memory of a thread block of a shift.
struct ShiftScratch {
  Vec2 disks[4][kShiftThreads];
  std::uint32_t ids[4][kShiftThreads];
};

// A cell and the one that disks enter it from, as read before the shift.
struct ShiftedCell {
  unsigned own, neighbour;
  int n, entering, stale;  // stale: disks that were in the memory to be written
  Vec2 disk[8];
  std::uint32_t id[8];

  // kAlways: slots read at once, without waiting for the counts.
  template <int kAlways>
  __device__ void load(const ShiftArgs& a) {
    const unsigned cells = static_cast<unsigned>(a.from.grid.cellCount());
    n = a.from.count[own], entering = a.from.count[neighbour], stale = a.to.count[own];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if ((k & 3) >= kAlways && (k & 3) >= (k < 4 ? n : entering)) continue;
      const unsigned slot = (k & 3) * cells + (k < 4 ? own : neighbour);
      disk[k] = readOnce(a.from.disk + slot);
      id[k] = __ldcs(a.from.id + slot);
    }
  }

  template <bool kGuarded, class Axis>
  __device__ void store(const ShiftArgs& a, const Axis& axis, ShiftScratch& scratch, int thread) {
    auto* disks = reinterpret_cast<Vec2(*)[kShiftThreads]>(&scratch.disks[0][thread]);
    auto* ids = reinterpret_cast<std::uint32_t(*)[kShiftThreads]>(&scratch.ids[0][thread]);
    const unsigned cells = static_cast<unsigned>(a.from.grid.cellCount());
    GatheredCell<kGuarded> out{disks, ids};
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if ((k & 3) >= (k < 4 ? n : entering)) continue;
      const bool left = axis.move(disk[k]);
      if (left != (k >= 4)) continue;
      if (k >= 4) axis.enter(disk[k]);
      out.take(disk[k], id[k]);
    }
    // Three slots are written whether occupied or not: memory receives whole sectors, which need
    // not be read to be completed.
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool full = i < out.filled;
      if (i == 3 && !full && stale < 4) continue;
      a.to.disk[i * cells + own] = full ? disks[i][0] : Vec2{kEmptySlot, kEmptySlot};
      a.to.id[i * cells + own] = full ? ids[i][0] : kNoId;
    }
    if (kGuarded && out.filled > 4) {
      exec::reportFault(a.status, exec::Fault::overflow, static_cast<std::uint32_t>(own));
      out.filled = 4;
    }
    a.to.count[own] = static_cast<std::uint8_t>(out.filled);
  }
};

// Calls see(axis) for the axis of a shift in cells of width w.
__device__ inline void alongAxis(const CellShift& shift, float w, auto&& see) {
  const bool forward = (shift.direction & 1) == 0;
  const float step = forward ? -shift.d : shift.d, turn = forward ? w : -w;
  if (shift.direction >= 2)
    see(ShiftAxis<true>{step, turn, w});
  else
    see(ShiftAxis<false>{step, turn, w});
}

// Guarded: for disks that may overlap, so that a cell may receive a fifth one.
template <bool kGuarded>
__global__ void __launch_bounds__(kShiftThreads) shiftKernel(const ShiftArgs a) {
  letNextLaunchBegin();
  __shared__ ShiftScratch scratch;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const GridInfo g = a.from.grid;
  const CellShift shift = a.plan->schedule[a.local].shift;
  const bool alongY = shift.direction >= 2, forward = (shift.direction & 1) == 0;
  const int half = g.m / 2;
  const int odd = threadIdx.x / kShiftPairs;
  const int pair = blockIdx.x * kShiftPairs + threadIdx.x % kShiftPairs;
  const int step = forward ? 1 : -1;
  const unsigned column = pair + odd * half;
  const unsigned columnBeside = alongY ? column : g.column(g.wrap(2 * pair + odd + step));
  const int blockY = a.backwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
  const int y = g.halo + blockY * kShiftRows + threadIdx.y;

  waitForLaunchBefore();
  if (pair >= half || !g.owns(y)) return;
  const int beside = alongY ? g.wrapRow(y + step) : y;
  // The first two slots are almost always occupied.
  ShiftedCell cell{y * g.m + column, beside * g.m + columnBeside};
  alongAxis(shift, g.w, [&](const auto& axis) {
    cell.load<2>(a);
    cell.store<kGuarded>(a, axis, scratch, thread);
  });
}

// First kernel of a batch: the schedule of each of its sweeps.
__global__ void planKernel(const BatchInput* input, float w, SweepPlan* plan) {
  const int local = threadIdx.x;
  const MpmcParameters& p = input->parameters;
  if (local == 0) {
    plan->scale = p.d / 32768.0f;
    plan->nMoves = p.nMoves;
    plan->shuffleParticles = !p.experiments.noParticleShuffle;
    plan->firstSweep = input->firstSweep;
  }
  plan->schedule[local] = scheduleOfSweep(p, w, input->firstSweep + local);
}

}  // namespace cellscope::mpmc
