// Many moves in one kernel of one block, tuned: each of 32 warps works out one of the next 32 moves
// against the present state, then the first warp decides them in the order of the chain.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/ahead_decide.cuh"
#include "sim/algo/gcmc/half_warps.cuh"

namespace cellscope {

inline constexpr int kAheadMoves = 32;  // worked out together, a warp each
inline constexpr int kAheadThreads = 32 * kAheadMoves;
inline constexpr int kAheadDraws = 256;  // random numbers drawn at a time

struct AheadShared {
  alignas(GcmcHead) std::byte head[sizeof(GcmcHead)];
  GcmcDraw draw[kAheadDraws];
  GcmcTrial trial[kAheadMoves];
  double change[kAheadMoves];
  HalfWarpOffset offset[27];
  int decided;  // of the moves worked out last
};

// Change of the energy by a trial, worked out by one warp: half of it takes a neighbour cell, the
// other half the next one.
template <class Trace>
__device__ double changeByWarp(const GcmcArrays& a, const GcmcTrial& t,
                               const HalfWarpOffset* offset, const Trace& trace) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto own = static_cast<std::uint32_t>(lane % kHalfWarp);
  double u = 0;
  if (t.old || t.fresh)
    for (int c = lane / kHalfWarp; c < a.grid.cube.cells(); c += 2)
      u += halfWarpChange(a, t, offset[c], own, c / 2, trace);
  u = sumOverWarp(u);
  if constexpr (Trace::kOn)
    if (lane == 0) trace.partial(t, 0, 32, u);
  return u;
}

// An instance that records is to make one move.
template <bool inShared, class Trace>
__global__ void __launch_bounds__(kAheadThreads)
    movesAhead(__grid_constant__ const GcmcArrays all, int moves, Trace trace) {
  extern __shared__ __align__(16) std::byte dynamic[];
  __shared__ AheadShared s;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  GcmcArrays a = inShared ? halfWarpArrays(all, dynamic) : all;
  a.head = reinterpret_cast<GcmcHead*>(s.head);
  if (thread == 0) *a.head = *all.head;
  if (thread < a.grid.cube.cells()) s.offset[thread] = halfWarpOffset(a.grid.cube, thread);
  __syncthreads();
  const std::uint64_t first = a.head->move;
  const std::uint64_t asked = a.head->end > first ? a.head->end - first : 0;
  const int wanted = asked < static_cast<std::uint64_t>(moves) ? static_cast<int>(asked) : moves;
  int drawn = 0, from = 0;  // random numbers of moves [from, drawn) are there
  for (int k = 0; k < wanted && a.head->stopped == 0;) {
    const int count = min(kAheadMoves, wanted - k);
    if (k + count > drawn) {
      from = k, drawn = k + kAheadDraws;
      if (thread < kAheadDraws)
        s.draw[thread] = gcmcDraw(a.rules, first + static_cast<std::uint64_t>(k + thread));
      __syncthreads();
    }
    if (warp < count) {
      const GcmcTrial t = gcmcTrialOf(a, s.draw[k - from + warp]);
      if constexpr (Trace::kOn)
        if (lane == 0) trace.choose(a, t, Trace::idOf(a, t));
      const double u = changeByWarp(a, t, s.offset, trace);
      if (lane == 0) s.trial[warp] = t, s.change[warp] = u;
    }
    __syncthreads();
    if (warp == 0) {
      const int mine = lane < count ? lane : 0;
      const AheadTrial own(a, s.trial[mine]);
      const int decided = decideByWarp(a, own, s.change[mine], count, trace).decided;
      if (lane == 0) s.decided = decided;
    }
    __syncthreads();
    k += s.decided;
  }
  if (inShared) halfWarpWriteBack(all, a);
  if (thread == 0) *all.head = *a.head;
}

}  // namespace cellscope
