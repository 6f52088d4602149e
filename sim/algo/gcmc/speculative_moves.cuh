// Speculative moves on CUDA: all moves of a launch by one cluster of blocks, which keep the
// configuration in the shared memory of each.
//
// A round: every block evaluates some of the candidates, half a warp to a cell, and sends its sums
// to all blocks (block_cluster.cuh). A warp more has worked out by then what can be known of the
// candidates before their energies are, and the others find what each candidate would change for
// every later one. When all sums have arrived it decides in draw order (ahead_decide.cuh), in every
// block with the same outcome, and carries out the accepted moves in the copy of the block. Where
// particles and cells do not fit the shared memory, the first block alone changes those in global
// memory, and a barrier of the cluster follows.
//
// Time of a round of 32 candidates, of which 27 are decided and 3.5 accepted in a liquid: 5.2 us on
// an H200, a third of them for decisions by that one warp. Energies are sums of multiples of a
// quantum: exact in any order.
#pragma once
#include "sim/algo/gcmc/ahead_decide.cuh"
#include "sim/algo/gcmc/block_cluster.cuh"
#include "sim/algo/gcmc/speculative.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Speculative moves that are wrong on purpose, on CUDA: what becomes of the candidates of a round,
// one in each lane of a warp.

// An accepted move, by one thread; there is room.
__device__ inline void carryOut(const GcmcArrays& a, const GcmcTrial& t, double dU) {
  const int kind = static_cast<int>(t.draw.kind);
  a.head->counters.attempted[kind]++;
  a.head->counters.accepted[kind]++;
  if (a.event != nullptr) gcmcWriteEvent(a, t, true, dU);
  a.head->energy += dU;
  gcmcApply(a, t);
  a.head->move++;
}

// Rejected moves of the lanes in `which`.
__device__ inline void passOver(const GcmcArrays& a, const GcmcTrial& t, double dU,
                                unsigned which) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (unsigned left = which; left != 0; left &= left - 1) {
    if (lane == __ffs(static_cast<int>(left)) - 1) {
      if (a.event != nullptr) gcmcWriteEvent(a, t, false, dU);
      a.head->counters.attempted[static_cast<int>(t.draw.kind)]++;
      a.head->move++;
    }
    __syncwarp();
  }
}

// Whether there is room for whatever the accepted ones of a round put in: a round that stopped half
// way would evaluate the rest of its candidates again, which the experiments do not do. Else the
// chain stops before the round.
__device__ inline bool roomForRound(const GcmcArrays& a, const GcmcTrial& t, bool accepted) {
  constexpr std::uint32_t kMost = kGcmcMostCandidates;
  const bool comes = accepted && t.fresh;
  const std::uint32_t cell = comes ? a.grid.cube.cellOf(t.to) : 0;
  const unsigned full =
      __ballot_sync(kAllLanes, comes && a.grid.filled[cell] + kMost > a.grid.capacity);
  const bool array = __any_sync(kAllLanes, comes && a.head->n + kMost > a.capacity);
  if (full == 0 && !array) return true;
  const std::uint32_t which =
      array ? kGcmcNoCell : __shfl_sync(kAllLanes, cell, __ffs(static_cast<int>(full)) - 1);
  if (threadIdx.x % 32 == 0) a.head->fullCell = which, a.head->stopped = 1;
  __syncwarp();
  return false;
}

// All candidates that are accepted, one after another. What was evaluated with a state of the past
// is carried out where the particle is still there. ids: of the candidates' particles.
__device__ inline void decideAll(const GcmcArrays& a, const ParticleId* ids, GcmcTrial t, double dU,
                                 bool yes, int count) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int j = 0; j < count; ++j) {
    bool done = false;
    if (lane == j && yes) {
      t.n = a.head->n;
      const bool insertion = t.draw.kind == GcmcKind::insertion;
      if (insertion || (t.slot < t.n && a.id[t.slot] == ids[j])) {
        if (!insertion) t.from = a.point[t.slot];
        carryOut(a, t, dU);
        done = true;
      }
    }
    __syncwarp();
    if (!__shfl_sync(kAllLanes, done, j)) passOver(a, t, dU, 1u << j);
  }
}

// Decides the candidates of a round, by one warp; returns how many counted: all, or none
// where there was no room.
__device__ inline int decideExperiment(const GcmcArrays& a, const ParticleId* ids,
                                       const GcmcTrial& t, double dU, int count,
                                       GcmcSpeculativeExperiment experiment) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool yes = lane < count && (t.old || t.fresh) && gcmcAccepts(a.rules, t.draw, t.n, dU);
  const unsigned accepted = __ballot_sync(kAllLanes, yes);
  if (!roomForRound(a, t, yes)) return 0;
  if (experiment == GcmcSpeculativeExperiment::applyAll) {
    decideAll(a, ids, t, dU, yes, count);
    return count;
  }
  const unsigned first = accepted & (0u - accepted);
  passOver(a, t, dU, lanesBelow(count) & (first - 1));  // all, where none is accepted
  if ((first >> lane & 1) != 0) carryOut(a, t, dU);
  __syncwarp();
  if (first != 0) passOver(a, t, dU, lanesBelow(count) & ~first & ~(first - 1));
  return count;
}

inline constexpr int kSpeculativeWarps = 16;  // evaluating warps; one more decides
inline constexpr int kSpeculativeThreads = 32 * (kSpeculativeWarps + 1);
inline constexpr int kSpeculativeBlocks = 16;      // of a cluster, at most
inline constexpr double kSpeculativeAccepted = 6;  // accepted in a round, about
inline constexpr int kSpeculativeDraws = 256;      // random numbers drawn at a time

// Experiments have one block, which keeps the ids.
struct SpeculativeShared {
  alignas(GcmcHead) std::byte head[sizeof(GcmcHead)];
  GcmcDraw draw[kSpeculativeDraws];
  // Sums of the warps of each candidate, of this round or the next one, and which have arrived.
  double partial[2][kSpeculativeWarps][kGcmcMostCandidates];
  std::uint64_t sums[2];
  GcmcTrial trial[kGcmcMostCandidates];                         // of this round
  double change[kGcmcMostCandidates - 1][kGcmcMostCandidates];  // see ChangeKnown
  HalfWarpOffset offset[27];
  ParticleId id[kGcmcMostCandidates];  // of the candidates, for experiments
};

// How a round deals out its candidates: block r has candidates r, r + blocks, ..., each with as
// many warps as there are, and in turn where there are fewer warps than candidates. All are powers
// of two: every warp divides by them.
struct SpeculativeDeal {
  int blocks, rank, shift, warps;  // warps of a candidate: 1 << shift
  __device__ SpeculativeDeal(const BlockCluster& cluster, int count)
      : blocks(cluster.blocks()), rank(cluster.rank()) {
    const int others = (count - 1) >> (__ffs(blocks) - 1);  // candidates of a block, less one
    shift = max(0, kShift - (32 - __clz(others)));
    warps = 1 << shift;
  }
  __device__ int together() const { return kSpeculativeWarps >> shift; }  // candidates of a block

 private:
  static constexpr int kShift = 4;
  static_assert(1 << kShift == kSpeculativeWarps);
};

// The rounds of one block; all blocks of the cluster go through them together.
template <bool inShared, class Trace>
class SpeculativeRounds {
 public:
  __device__ SpeculativeRounds(const GcmcArrays& a, SpeculativeShared& s,
                               const GcmcSpeculating& how, const Trace& trace)
      : a_(a), s_(s), how_(how), trace_(trace) {}

  __device__ void make(int wanted) {
    const int thread = static_cast<int>(threadIdx.x);
    const std::uint64_t begin = a_.head->move;
    const auto end = begin + static_cast<std::uint64_t>(wanted);
    std::uint64_t drawn = begin, from = begin;  // random numbers of [from, drawn) are there
    for (unsigned number = 0; a_.head->move < end && a_.head->stopped == 0; ++number) {
      const std::uint64_t now = a_.head->move;
      const std::uint64_t left = end - now;
      int count = gcmcCandidates(how_, a_.head->acceptance, now);
      if (static_cast<std::uint64_t>(count) > left) count = static_cast<int>(left);
      if (now + static_cast<std::uint64_t>(count) > drawn) {
        from = now, drawn = now + kSpeculativeDraws;
        if (thread < kSpeculativeDraws)
          s_.draw[thread] = gcmcDraw(a_.rules, from + static_cast<std::uint64_t>(thread));
        __syncthreads();
      }
      round(s_.draw + (now - from), count, number);
    }
    __syncthreads();  // the last round is noted
  }

 private:
  __device__ void round(const GcmcDraw* draw, int count, unsigned number) {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const SpeculativeDeal deal(cluster_, count);
    const bool decider = warp == kSpeculativeWarps;
    const int parity = number & 1;
    for (int own = (warp >> deal.shift) * deal.blocks + deal.rank; !decider && own < count;
         own += deal.together() * deal.blocks)
      evaluate(draw[own], own, warp & (deal.warps - 1), deal.warps, parity);
    GcmcTrial t{};
    if (decider && lane < count) {
      t = gcmcTrialOf(a_, draw[lane]);
      if (how_.experiment != GcmcSpeculativeExperiment::none && t.slot != kGcmcNoSlot)
        s_.id[lane] = a_.id[t.slot];
    }
    AheadTrial own;
    if (decider && decides()) {
      s_.trial[lane] = t;
      if (lane == 0)
        cluster_.expect(&s_.sums[parity], count * deal.warps * static_cast<int>(sizeof(double)));
      own = AheadTrial(a_, t);
    }
    __syncthreads();
    if (!decider && decides()) findChanges(warp, lane, count);
    __syncthreads();
    AheadOutcome outcome{};
    if (decider && decides()) {
      cluster_.await(&s_.sums[parity], (number & 2) != 0);
      outcome = decide(own, count, deal.warps, parity);
    }
    if constexpr (inShared) {
      __syncthreads();
    } else {
      cluster_.sync();
      follow();
    }
    if (decider && decides()) note(own, outcome, count);
  }
  // While the sums are on their way: one pair of moves a thread. Rows k and 31 - k of the table
  // have 31 pairs together, for the lanes of one warp.
  __device__ void findChanges(int warp, int lane, int count) {
    static_assert(kGcmcMostCandidates == 2 * kSpeculativeWarps);
    const bool upper = lane < warp;
    const int done = upper ? 31 - warp : warp, later = upper ? 31 - lane : lane;
    if (lane == warp || later >= count) return;
    s_.change[done][later] = changeBy(a_.rules.pair, s_.trial[done], s_.trial[later]);
  }
  // Without copies the first block decides for all.
  __device__ bool decides() const { return inShared || cluster_.rank() == 0; }
  __device__ void follow() {
    if (threadIdx.x == 0 && cluster_.rank() != 0) {
      const auto& first = *reinterpret_cast<const GcmcHead*>(cluster_.of(s_.head, 0));
      a_.head->move = first.move, a_.head->n = first.n;
      a_.head->stopped = first.stopped, a_.head->acceptance = first.acceptance;
    }
    __syncthreads();
  }

  __device__ void evaluate(const GcmcDraw& draw, int candidate, int part, int parts, int parity) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const GcmcTrial t = gcmcTrialOf(a_, draw);
    const int half = 2 * part + lane / kHalfWarp;
    double u = 0;
    if constexpr (Trace::kOn) {
      if (part == 0 && lane == 0) trace_.choose(a_, t, Trace::idOf(a_, t));
      for (int c = half; c < a_.grid.cube.cells(); c += 2 * parts)
        u += halfWarpChange(a_, t, s_.offset[c], static_cast<std::uint32_t>(lane % kHalfWarp),
                            c / (2 * parts), trace_);
    } else {
      u = halfWarpsChange(a_, t, s_.offset, half, 2 * parts);
    }
    u = sumOverWarp(u);
    if constexpr (Trace::kOn)
      if (lane == 0) trace_.partial(t, part, 32, u);
    if (lane < (inShared ? cluster_.blocks() : 1))
      cluster_.send(u, &s_.partial[parity][part][candidate], &s_.sums[parity], lane);
  }

  // By one warp.
  __device__ AheadOutcome decide(const AheadTrial& own, int count, int parts, int parity) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const GcmcTrial& t = own.t;
    double dU = 0;
#pragma unroll 8
    for (int k = 0; k < parts; ++k) dU += s_.partial[parity][k][lane];
    if (isExperiment())
      return {decideExperiment(a_, s_.id, t, dU, count, how_.experiment), 0, 0, 0};
    const AheadOutcome o = decideByWarp(a_, own, dU, count, {s_.change}, trace_);
    if (lane == 0)
      a_.head->acceptance = gcmcRunningAcceptance(a_.head->acceptance, o.decided, o.accepted);
    __syncwarp();
    return o;
  }
  // By the same.
  __device__ void note(const AheadTrial& own, const AheadOutcome& o, int count) {
    if (!isExperiment()) noteOutcome(a_, own, o);
    if (threadIdx.x % 32 == 0 && (!isExperiment() || o.decided > 0))
      gcmcNoteRound(a_.head->counters.speculation, count, o.decided);
  }
  __device__ bool isExperiment() const {
    return !Trace::kOn && how_.experiment != GcmcSpeculativeExperiment::none;
  }

  const GcmcArrays& a_;
  SpeculativeShared& s_;
  const GcmcSpeculating how_;
  const Trace trace_;
  const BlockCluster cluster_{};
};

template <bool inShared, class Trace>
__global__ void __launch_bounds__(kSpeculativeThreads, 1)
    speculativeMoves(__grid_constant__ const GcmcArrays all, int moves, GcmcSpeculating how,
                     Trace trace) {
  extern __shared__ __align__(16) std::byte dynamic[];
  __shared__ SpeculativeShared s;
  const int thread = static_cast<int>(threadIdx.x);
  const BlockCluster cluster{};
  GcmcArrays a = inShared ? halfWarpArrays(all, dynamic) : all;
  a.head = reinterpret_cast<GcmcHead*>(s.head);
  const bool first = cluster.rank() == 0;
  if (inShared && !first) a.id = nullptr, a.event = nullptr;  // the first block keeps them
  if (thread == 0) *a.head = *all.head;
  if (thread < a.grid.cube.cells()) s.offset[thread] = halfWarpOffset(a.grid.cube, thread);
  if (thread < 2) BlockCluster::prepare(&s.sums[thread]);
  cluster.sync();  // also: all blocks have begun, and have read what will be written at the end
  const std::uint64_t asked = a.head->end > a.head->move ? a.head->end - a.head->move : 0;
  SpeculativeRounds<inShared, Trace> rounds(a, s, how, trace);
  rounds.make(asked < static_cast<std::uint64_t>(moves) ? static_cast<int>(asked) : moves);
  if (first && inShared) halfWarpWriteBack(all, a);
  if (first && thread == 0) *all.head = *a.head;
  cluster.sync();  // others may still read this block's memory
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
