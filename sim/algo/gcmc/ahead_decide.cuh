// Decides moves that were worked out against the same state, in the order of the chain: by one
// warp, a move in each lane.
//
// An accepted move changes what those behind it have found: by the pairs with the one particle that
// moved, came or went. These are put right exactly (pair energies are multiples of a quantum), so
// that the moves stay good; only a move that tries the very particle, or that would now choose
// another one, ends the group and is to be worked out again. Decisions are those of the serial
// chain.
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/step.h"

namespace cellscope {

inline constexpr unsigned kAllLanes = 0xffffffffu;

__device__ inline unsigned lanesBelow(int count) { return count >= 32 ? ~0u : (1u << count) - 1; }

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

// What others need to know of an accepted trial of one lane.
__device__ inline GcmcTrial trialOfLane(const GcmcTrial& t, int lane) {
  const auto of = [lane](std::uint32_t word) { return __shfl_sync(kAllLanes, word, lane); };
  GcmcTrial r{};
  r.draw.kind = static_cast<GcmcKind>(of(static_cast<std::uint32_t>(t.draw.kind)));
  r.slot = of(t.slot);
  r.from = {of(t.from.x), of(t.from.y), of(t.from.z)};
  r.to = {of(t.to.x), of(t.to.y), of(t.to.z)};
  r.old = r.draw.kind != GcmcKind::insertion;
  r.fresh = r.draw.kind != GcmcKind::deletion;
  return r;
}

// --- GcmcGrid's and gcmcApply's changes by a warp: the entries of a cell are looked at together.

__device__ inline void removeByWarp(const GcmcGrid& g, std::uint32_t cell, std::uint32_t slot) {
  const std::uint32_t lane = threadIdx.x % 32, last = g.filled[cell] - 1;
  std::uint32_t hole = last;
  for (std::uint32_t k = lane; k < last; k += 32)
    if (g.at(cell, k) == slot) hole = k;
  const std::uint32_t filler = g.at(cell, last);
  __syncwarp();
  if (hole != last) g.at(cell, hole) = filler;
  if (lane == 0) g.filled[cell] = last;
  __syncwarp();
}
__device__ inline void renameByWarp(const GcmcGrid& g, std::uint32_t cell, std::uint32_t from,
                                    std::uint32_t to) {
  const std::uint32_t filled = g.filled[cell];
  for (std::uint32_t k = threadIdx.x % 32; k < filled; k += 32)
    if (g.at(cell, k) == from) g.at(cell, k) = to;
}
// t: of all lanes alike; move: its number.
__device__ inline void applyByWarp(const GcmcArrays& a, const GcmcTrial& t, std::uint64_t move) {
  const bool writes = threadIdx.x % 32 == 0;
  const GcmcCube& cube = a.grid.cube;
  if (t.draw.kind == GcmcKind::displacement) {
    const std::uint32_t was = cube.cellOf(t.from), is = cube.cellOf(t.to);
    if (was != is) removeByWarp(a.grid, was, t.slot);
    if (writes && was != is) a.grid.add(is, t.slot);
    if (writes) a.point[t.slot] = t.to;
  } else if (t.draw.kind == GcmcKind::insertion) {
    if (writes) {
      a.point[t.n] = t.to;
      if (a.id != nullptr) a.id[t.n] = a.idBase + static_cast<ParticleId>(move);
      a.grid.add(cube.cellOf(t.to), t.n);
    }
  } else {
    const std::uint32_t last = t.n - 1;
    const GcmcPoint filler = a.point[last];
    removeByWarp(a.grid, cube.cellOf(t.from), t.slot);
    if (t.slot != last) renameByWarp(a.grid, cube.cellOf(filler), last, t.slot);
    if (writes) {
      a.point[t.slot] = filler;
      if (a.id != nullptr) a.id[t.slot] = a.id[last];
    }
  }
  __syncwarp();
}

// --- The decisions ---

struct AheadOutcome {
  int decided, accepted;  // moves; fewer decided than asked for where one is to be worked out again
};

class AheadDecision {
 public:
  // t, dU: of this lane; lanes below `count` have a move.
  __device__ AheadDecision(const GcmcArrays& a, const GcmcTrial& t, double dU, int count)
      : a_(a),
        t_(t),
        dU_(dU),
        count_(count),
        lane_(static_cast<int>(threadIdx.x % 32)),
        begin_(a.head->move),
        n_(a.head->n),
        energy_(a.head->energy) {}

  __device__ AheadOutcome decide() {
    int next = 0;
    unsigned carriedOut = 0, accepted = acceptedFrom(next);
    while (next < count_) {
      const unsigned open = accepted & lanesBelow(count_) & ~lanesBelow(next);
      const int first = open != 0 ? __ffs(static_cast<int>(open)) - 1 : count_;
      if (a_.event != nullptr) writeRejected(next, first);
      next = first;
      if (open == 0) break;
      GcmcTrial moved = trialOfLane(t_, first);
      moved.n = n_;
      if (!hasRoom(moved)) break;  // the chain has stopped
      carryOut(moved, first);
      carriedOut |= 1u << first;
      ++next;
      if (follow(moved, next)) accepted = acceptedFrom(next);
    }
    finish(next, carriedOut);
    return {next, __popc(carriedOut)};
  }

 private:
  __device__ unsigned acceptedFrom(int next) const {
    const bool mine = lane_ >= next && lane_ < count_ && (t_.old || t_.fresh);
    return __ballot_sync(kAllLanes, mine && gcmcAccepts(a_.rules, t_.draw, n_, dU_));
  }
  __device__ bool hasRoom(const GcmcTrial& moved) const {
    const bool room = lane_ != 0 || gcmcHasRoom(a_, moved);
    return __all_sync(kAllLanes, room) != 0;
  }
  __device__ void carryOut(const GcmcTrial& moved, int lane) {
    const std::uint64_t move = begin_ + static_cast<unsigned>(lane);
    if (a_.event != nullptr) write(lane, true);
    applyByWarp(a_, moved, move);
    energy_ += __shfl_sync(kAllLanes, dU_, lane);
    n_ += moved.draw.kind == GcmcKind::insertion ? 1 : 0;
    n_ -= moved.draw.kind == GcmcKind::deletion ? 1 : 0;
  }
  // Puts the moves from `next` on right; whether their decisions may have changed.
  __device__ bool follow(const GcmcTrial& moved, int next) {
    const bool later = lane_ >= next && lane_ < count_;
    const double change = later ? changeBy(a_.rules.pair, moved, t_) : 0.0;
    dU_ += change;
    const unsigned lost = __ballot_sync(kAllLanes, later && !choiceHolds(moved, t_, n_));
    if (lost != 0) count_ = __ffs(static_cast<int>(lost)) - 1;
    return n_ != moved.n || __any_sync(kAllLanes, change != 0);
  }

  __device__ void write(int lane, bool accepted) const {
    if (lane_ == lane) {
      a_.head->move = begin_ + static_cast<unsigned>(lane);
      gcmcWriteEvent(a_, t_, accepted, dU_);
    }
    __syncwarp();
  }
  __device__ void writeRejected(int first, int end) const {
    for (int lane = first; lane < end; ++lane) write(lane, false);
  }

  __device__ void finish(int decided, unsigned carriedOut) const {
    const unsigned those = lanesBelow(decided);
    for (int k = 0; k < kGcmcKinds; ++k) {
      const unsigned of = those & __ballot_sync(kAllLanes, static_cast<int>(t_.draw.kind) == k);
      if (lane_ != k) continue;
      a_.head->counters.attempted[k] += static_cast<unsigned>(__popc(of));
      a_.head->counters.accepted[k] += static_cast<unsigned>(__popc(of & carriedOut));
    }
    if (lane_ == 0) {
      a_.head->move = begin_ + static_cast<unsigned>(decided);
      a_.head->n = n_, a_.head->energy = energy_;
    }
    __syncwarp();
  }

  const GcmcArrays& a_;
  const GcmcTrial t_;
  double dU_;
  int count_;
  const int lane_;
  const std::uint64_t begin_;
  std::uint32_t n_;
  double energy_;
};

}  // namespace cellscope
