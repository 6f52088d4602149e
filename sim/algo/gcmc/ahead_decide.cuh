// Decides moves that were worked out against the same state, in the order of the chain: by one
// warp, a move in each lane.
//
// An accepted move changes what those after it have found: by the pairs with the one particle that
// moved, came or went. These are put right exactly (pair energies are multiples of a quantum), so
// that the moves stay good; only a move that tries the very particle, or that would now choose
// another one, ends the group and is to be worked out again. Decisions are those of the serial
// chain.
#pragma once
#include <cmath>

#include "sim/algo/gcmc/warp_energies.cuh"

namespace cellscope {
inline namespace GCMC_TYPES {

inline constexpr unsigned kAllLanes = 0xffffffffu;

__device__ inline unsigned lanesBelow(int count) { return count >= 32 ? ~0u : (1u << count) - 1; }

// What the accepted move `done` adds to the change of the energy by a later one.
__device__ inline double changeBy(const GcmcPair& pair, const GcmcTrial& done, const GcmcTrial& t) {
  // All on their way at the same time.
  const GcmcReduced d[4] = {gcmcReduced(pair, t.to, done.to), gcmcReduced(pair, t.from, done.to),
                            gcmcReduced(pair, t.to, done.from),
                            gcmcReduced(pair, t.from, done.from)};
  const bool counts[4] = {done.fresh && t.fresh, done.fresh && t.old, done.old && t.fresh,
                          done.old && t.old};
  bool near = false;
  for (int k = 0; k < 4; ++k) near = near || (counts[k] && d[k].r2 < pair.cutoffSquared);
  if (!near) return 0;
  double u[4];
  for (int k = 0; k < 4; ++k) {
    const float energy = gcmcPairEnergy(pair, d[k].r2, d[k].epsilon);
    u[k] = counts[k] && d[k].r2 < pair.cutoffSquared ? energy : 0.0f;
  }
  return (u[0] - u[1]) + (u[3] - u[2]);
}

// The change of the pair energy below which a trial is accepted, but for rounding.
__device__ inline double acceptedBelow(const GcmcRules& r, const GcmcDraw& d, std::uint32_t n) {
  double least = d.a;  // of the Boltzmann factor
  bool open = true;
  if (d.kind == GcmcKind::insertion) {
    least = d.a * (n + r.added) / r.insertFactor;
    open = r.most == 0 || n < r.most;
  } else if (d.kind == GcmcKind::deletion) {
    least = d.a / (n * r.deleteFactor);
    open = n > r.least;
  }
  return open ? -log(least) / r.beta - gcmcTailChange(r, d.kind, n) : -INFINITY;
}

// A move of a lane, and what is known of it before its energy. By a warp, whose lanes are bits.
struct AheadTrial {
  GcmcTrial t;
  std::uint32_t was, is;  // cells of the two points
  double limit;           // acceptedBelow(), of the particles now
  unsigned within;        // lanes with moves within a cell
  unsigned same;          // lanes with moves of the same particle
  unsigned ofKind;        // lanes with moves of kind number `lane`
  AheadTrial() = default;
  __device__ AheadTrial(const GcmcArrays& a, const GcmcTrial& trial)
      : t(trial),
        was(a.grid.cube.cellOf(trial.from)),
        is(a.grid.cube.cellOf(trial.to)),
        limit(acceptedBelow(a.rules, trial.draw, a.head->n)),
        within(__ballot_sync(kAllLanes, gcmcStays(trial.draw.kind) && was == is)),
        same(__match_any_sync(kAllLanes, trial.slot)),
        ofKind(0) {
    if (trial.slot == kGcmcNoSlot) same = 0;
    for (int k = 0; k < kGcmcKindsMade; ++k) {
      const unsigned of = __ballot_sync(kAllLanes, static_cast<int>(trial.draw.kind) == k);
      if (threadIdx.x % 32 == static_cast<unsigned>(k)) ofKind = of;
    }
  }
};

// What all lanes need to know of an accepted one.
struct AheadMoved {
  GcmcTrial t;
  std::uint32_t was, is;
  __device__ AheadMoved(const AheadTrial& own, std::uint32_t n, int lane) : t{} {
    const auto of = [lane](std::uint32_t word) { return __shfl_sync(kAllLanes, word, lane); };
    t.draw.kind = static_cast<GcmcKind>(of(static_cast<std::uint32_t>(own.t.draw.kind)));
    t.n = n, t.slot = of(own.t.slot);
    t.from = {of(own.t.from.x), of(own.t.from.y), of(own.t.from.z)};
    t.to = {of(own.t.to.x), of(own.t.to.y), of(own.t.to.z)};
    t.old = t.draw.kind != GcmcKind::insertion;
    t.fresh = t.draw.kind != GcmcKind::deletion;
    was = of(own.was), is = of(own.is);
  }
};

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
// gcmcHasRoom().
__device__ inline bool hasRoomByWarp(const GcmcArrays& a, const AheadMoved& m) {
  if (!m.t.fresh) return true;
  const bool array = gcmcStays(m.t.draw.kind) || m.t.n < a.capacity;
  if (array && !a.grid.full(m.is)) return true;
  if (threadIdx.x % 32 == 0) a.head->fullCell = array ? m.is : kGcmcNoCell, a.head->stopped = 1;
  return false;
}
// Not of a move within its cell. move: its number.
__device__ inline void applyByWarp(const GcmcArrays& a, const AheadMoved& m, std::uint64_t move) {
  const bool writes = threadIdx.x % 32 == 0;
  const GcmcTrial& t = m.t;
  if (gcmcStays(t.draw.kind)) {
    removeByWarp(a.grid, m.was, t.slot);
    if (writes) a.grid.add(m.is, t.slot), a.point[t.slot] = t.to;
  } else if (t.draw.kind == GcmcKind::insertion) {
    if (writes) {
      a.point[t.n] = t.to;
      if (a.id != nullptr) a.id[t.n] = a.idBase + static_cast<ParticleId>(move);
      a.grid.add(m.is, t.n);
    }
  } else {
    const std::uint32_t last = t.n - 1;
    const GcmcPoint filler = a.point[last];
    removeByWarp(a.grid, m.was, t.slot);
    if (t.slot != last) renameByWarp(a.grid, a.grid.cube.cellOf(filler), last, t.slot);
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
  unsigned carriedOut;    // lanes
  double dU;              // of this lane
};

// Adds decided moves up. No decision depends on these sums, so the next round need not wait.
__device__ inline void noteOutcome(const GcmcArrays& a, const AheadTrial& own,
                                   const AheadOutcome& o) {
  const unsigned lane = threadIdx.x % 32;
  const double gained = sumOverWarp((o.carriedOut >> lane & 1) != 0 ? o.dU : 0.0);
  if (lane == 0) a.head->energy += gained;
  if (lane >= kGcmcKindsMade) return;
  const unsigned of = own.ofKind & lanesBelow(o.decided);
  a.head->counters.attempted[lane] += static_cast<unsigned>(__popc(of));
  a.head->counters.accepted[lane] += static_cast<unsigned>(__popc(of & o.carriedOut));
}

// changeBy() of an accepted move k and the move of each lane: computed when k is accepted,
struct ChangeComputed {
  __device__ double operator()(const GcmcArrays& a, const AheadTrial& own, int k) const {
    return changeBy(a.rules.pair, AheadMoved(own, 0, k).t, own.t);
  }
};
// or read from a table: of[k][j] is the change that move k makes to a later move j.
struct ChangeKnown {
  const double (*of)[32];
  __device__ double operator()(const GcmcArrays&, const AheadTrial&, int k) const {
    return of[k][threadIdx.x % 32];
  }
};

// kCollects: transitions are counted where that is wanted.
template <class Change, bool kCollects = false>
class AheadDecision {
 public:
  // own, dU: of this lane; lanes below `count` have a move.
  __device__ AheadDecision(const GcmcArrays& a, const AheadTrial& own, double dU, int count,
                           const Change& change)
      : a_(a),
        change_(change),
        own_(own),
        dU_(dU),
        doubt_(1e-7 + 1e-9 / a.rules.beta),
        count_(count),
        lane_(static_cast<int>(threadIdx.x % 32)),
        begin_(a.head->move),
        n_(a.head->n) {
    __syncwarp();  // all have read what one of them will write
  }

  __device__ AheadOutcome decide() {
    int next = 0;
    unsigned carriedOut = 0, accepted = acceptedFrom(next);
    while (next < count_) {
      const unsigned open = accepted & lanesBelow(count_) & ~lanesBelow(next);
      const int first = open != 0 ? __ffs(static_cast<int>(open)) - 1 : count_;
      for (int k = next; a_.event != nullptr && k < first; ++k) write(k, false);
      collect(next, first);
      next = first;
      if (open == 0) break;
      const std::uint32_t before = n_;
      if (!carryOut(first)) break;  // the chain has stopped
      carriedOut |= 1u << first;
      if (++next < count_ && follow(first, before)) accepted = acceptedFrom(next);
    }
    if (lane_ == 0) {
      a_.head->move = begin_ + static_cast<unsigned>(next);
      a_.head->n = n_;
    }
    __syncwarp();
    return {next, __popc(carriedOut), carriedOut, dU_};
  }

 private:
  // The Boltzmann factor itself is needed only where rounding could matter: doubt_ is thousands of
  // times what rounding makes of the limit and of the factor.
  __device__ unsigned acceptedFrom(int next) const {
    const bool mine = lane_ >= next && lane_ < count_ && (own_.t.old || own_.t.fresh);
    const double gap = dU_ - own_.limit;
    bool yes = gap < 0;
    if (mine && !(fabs(gap) > doubt_)) yes = gcmcAccepts(a_.rules, own_.t.draw, n_, dU_);
    return __ballot_sync(kAllLanes, mine && yes);
  }
  // Whether there was room for move k.
  __device__ bool carryOut(int k) {
    if ((own_.within >> k & 1) != 0) {
      collect(k, k + 1);
      if (a_.event != nullptr) write(k, true);
      if (lane_ == k) a_.point[own_.t.slot] = own_.t.to;
      __syncwarp();
      return true;
    }
    const AheadMoved moved(own_, n_, k);
    if (!hasRoomByWarp(a_, moved)) return false;
    collect(k, k + 1);
    if (a_.event != nullptr) write(k, true);
    applyByWarp(a_, moved, begin_ + static_cast<unsigned>(k));
    n_ += moved.t.draw.kind == GcmcKind::insertion ? 1 : 0;
    n_ -= moved.t.draw.kind == GcmcKind::deletion ? 1 : 0;
    return true;
  }
  // Puts the moves after number k right; whether their decisions may have changed. before:
  // particles that there were.
  __device__ bool follow(int k, std::uint32_t before) {
    const bool later = lane_ > k && lane_ < count_;
    const double found = change_(a_, own_, k), change = later ? found : 0.0;
    dU_ += change;
    bool lost = (own_.same >> k & 1) != 0;
    if (n_ != before) {
      lost = lost || !choiceHolds();
      own_.limit = acceptedBelow(a_.rules, own_.t.draw, n_);
    }
    const unsigned those = __ballot_sync(kAllLanes, later && lost);
    if (those != 0) count_ = __ffs(static_cast<int>(those)) - 1;
    return n_ != before || __any_sync(kAllLanes, change != 0);
  }
  // Whether this move would still choose the same particle.
  __device__ bool choiceHolds() const {
    if (own_.t.draw.kind == GcmcKind::insertion) return true;
    return n_ > 0 && gcmcSlot(own_.t.draw, n_) == own_.t.slot;
  }

  // gcmcCollect() of the moves first .. end - 1, added up together.
  __device__ void collect(int first, int end) const {
    if (!kCollects || a_.rules.transitions == nullptr || first == end) return;
    if (n_ >= a_.rules.transitionCount) return;
    GcmcTransition t{0, 0, 0, 0};
    if (lane_ >= first && lane_ < end && (own_.t.old || own_.t.fresh))
      t = gcmcTransition(a_.rules, own_.t.draw, n_, dU_);
    GcmcTransition sum{sumOverWarp(t.up), sumOverWarp(t.insertions), sumOverWarp(t.down),
                       sumOverWarp(t.deletions)};
    if (lane_ == 0) gcmcAdd(a_.rules.transitions[n_], sum);
  }
  __device__ void write(int lane, bool accepted) const {
    if (lane_ == lane) {
      a_.head->move = begin_ + static_cast<unsigned>(lane);
      gcmcWriteEvent(a_, own_.t, accepted, dU_);
    }
    __syncwarp();
  }

  const GcmcArrays& a_;
  const Change change_;
  AheadTrial own_;
  double dU_;
  const double doubt_;
  int count_;
  const int lane_;
  const std::uint64_t begin_;
  std::uint32_t n_;
};

// The same; an instance that records has one move, in lane 0.
template <class Trace>
__device__ AheadOutcome decideByWarp(const GcmcArrays& a, const AheadTrial& own, double dU,
                                     int count, const ChangeKnown& change, const Trace& trace) {
  AheadDecision decision(a, own, dU, count, change);
  if constexpr (!Trace::kOn) {
    return decision.decide();
  } else {
    const bool writes = threadIdx.x % 32 == 0;
    const std::uint64_t id = writes ? Trace::idOf(a, own.t) : kNoObject;
    const AheadOutcome o = decision.decide();
    if (writes) trace.decide(a, own.t, dU, o.accepted > 0);
    if (writes && o.accepted > 0) trace.update(a, own.t, id);
    return o;
  }
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
