// Speculative moves that are wrong on purpose, on CUDA: what becomes of the candidates of a round,
// one in each lane of a warp.
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/ahead_decide.cuh"
#include "sim/algo/gcmc/speculative.h"

namespace cellscope {
inline namespace GCMC_TYPES {

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

}  // namespace GCMC_TYPES
}  // namespace cellscope
