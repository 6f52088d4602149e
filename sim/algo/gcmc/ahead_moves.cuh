// Many moves in one kernel of one block, tuned: each of 32 warps works out one of the next 32 moves
// against the present state, then the first warp decides them in the order of the chain.
//
// An accepted move changes what those behind it in the group have found: by the pairs with the one
// particle that moved, came or went. These are put right exactly (pair energies are multiples of a
// quantum), so that the moves stay good; only a move that tries the very particle, or that would
// now choose another one, ends the group and is worked out again. Decisions are those of the serial
// chain.
#pragma once
#include <cstddef>
#include <cstdint>

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
__device__ inline double changeByWarp(const GcmcArrays& a, const GcmcTrial& t,
                                      const HalfWarpOffset* offset) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto own = static_cast<std::uint32_t>(lane % kHalfWarp);
  double u = 0;
  if (t.old || t.fresh)
    for (int c = lane / kHalfWarp; c < a.grid.cube.cells(); c += 2)
      u += halfWarpChange(a, t, offset[c], own, NoGcmcTrace{});
  return sumOverWarp(u);
}

// What the accepted move `done` adds to the change of the energy by a later one.
__device__ inline double changeBy(const GcmcPair& pair, const GcmcTrial& done, const GcmcTrial& t) {
  double u = 0;
  if (done.fresh) {
    if (t.fresh) u += gcmcPairAt(pair, t.to, done.to);
    if (t.old) u -= gcmcPairAt(pair, t.from, done.to);
  }
  if (done.old) {
    if (t.fresh) u -= gcmcPairAt(pair, t.to, done.from);
    if (t.old) u += gcmcPairAt(pair, t.from, done.from);
  }
  return u;
}

// Whether a trial is of the same particle as before now that `done` was accepted and there are n.
__device__ inline bool choiceHolds(const GcmcTrial& done, const GcmcTrial& t, std::uint32_t n) {
  if (t.draw.kind == GcmcKind::insertion) return true;
  return t.slot != done.slot && n > 0 && gcmcSlot(t.draw, n) == t.slot;
}

// An accepted move, by one thread; false: no room, and nothing was done.
__device__ inline bool carryOut(const GcmcArrays& a, const GcmcTrial& t, double dU) {
  if (!gcmcHasRoom(a, t)) return false;
  const int kind = static_cast<int>(t.draw.kind);
  a.head->counters.attempted[kind]++;
  a.head->counters.accepted[kind]++;
  if (a.event != nullptr) gcmcWriteEvent(a, t, true, dU);
  a.head->energy += dU;
  gcmcApply(a, t);
  a.head->move++;
  return true;
}

// Rejected moves of the lanes in `which`, by the first warp.
__device__ inline void passOver(const GcmcArrays& a, const GcmcTrial& t, double dU,
                                unsigned which) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (a.event != nullptr) {
    for (unsigned left = which; left != 0; left &= left - 1) {
      if (lane == __ffs(left) - 1) {
        gcmcWriteEvent(a, t, false, dU);
        a.head->move++;
      }
      __syncwarp();
    }
  } else if (lane == 0) {
    a.head->move += static_cast<unsigned>(__popc(which));
  }
  for (int k = 0; k < kGcmcKinds; ++k) {
    const unsigned of =
        __ballot_sync(0xffffffffu, (which >> lane & 1) && static_cast<int>(t.draw.kind) == k);
    if (lane == 0) a.head->counters.attempted[k] += static_cast<unsigned>(__popc(of));
  }
  __syncwarp();
}

// Decides the first `count` moves that were worked out, one in each lane; by the first warp.
// Returns how many were decided: fewer where one has to be worked out again.
__device__ inline int decideInOrder(const GcmcArrays& a, AheadShared& s, int count) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  GcmcTrial t = s.trial[lane];
  double dU = s.change[lane];
  int next = 0;
  while (next < count) {
    const std::uint32_t n = a.head->n;
    t.n = n;
    const bool mine = lane >= next && lane < count;
    const bool yes = mine && (t.old || t.fresh) && gcmcAccepts(a.rules, t.draw, n, dU);
    const unsigned accepted = __ballot_sync(0xffffffffu, yes);
    const int first = accepted ? __ffs(accepted) - 1 : count;
    passOver(a, t, dU, __ballot_sync(0xffffffffu, mine && lane < first));
    next = first;
    if (first == count) break;
    bool done = false;
    if (lane == first) {
      done = carryOut(a, t, dU);
      s.trial[first].n = n;
    }
    __syncwarp();
    if (!__shfl_sync(0xffffffffu, done, first)) break;  // no room: the chain has stopped
    ++next;
    const GcmcTrial& moved = s.trial[first];
    const bool later = lane > first && lane < count;
    if (later) dU += changeBy(a.rules.pair, moved, t);
    const unsigned lost = __ballot_sync(0xffffffffu, later && !choiceHolds(moved, t, a.head->n));
    if (lost) count = min(count, __ffs(lost) - 1);
  }
  return next;
}

template <bool inShared>
__global__ void __launch_bounds__(kAheadThreads)
    movesAhead(__grid_constant__ const GcmcArrays all, int moves) {
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
      const double u = changeByWarp(a, t, s.offset);
      if (lane == 0) s.trial[warp] = t, s.change[warp] = u;
    }
    __syncthreads();
    if (warp == 0) {
      const int decided = decideInOrder(a, s, count);
      if (lane == 0) s.decided = decided;
    }
    __syncthreads();
    k += s.decided;
  }
  if (inShared) halfWarpWriteBack(all, a);
  if (thread == 0) *all.head = *a.head;
}

}  // namespace cellscope
