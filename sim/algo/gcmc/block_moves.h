// One move by many blocks: every block adds up its share of the energy change, the last one to be
// done adds up the blocks, decides and applies (S0, Algorithms 2 to 7). A team is a block.
//
// Share selects the particles that a thread meets and adds up what they change:
//   template <class Trace>
//   HOST_DEVICE double change(const GcmcArrays&, const GcmcTrial&, int team, int thread,
//                             const Trace&) const;
#pragma once
#include "sim/algo/gcmc/trace.h"
#include "sim/exec/team.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Sums of a team in a fixed order: `sum` holds one number per thread. Phase 0 leaves at most 32,
// the caller then adds these up.
inline constexpr int kGcmcFold = 32;
HOST_DEVICE void gcmcFold(double* sum, int threads, int thread) {
  if (thread >= kGcmcFold) return;
  for (int k = thread + kGcmcFold; k < threads; k += kGcmcFold) sum[thread] += sum[k];
}
HOST_DEVICE double gcmcFolded(const double* sum, int threads) {
  double total = 0;
  for (int k = 0; k < threads && k < kGcmcFold; ++k) total += sum[k];
  return total;
}

template <class Share, class Trace = NoGcmcTrace>
struct GcmcBlockMove {
  struct Shared {
    GcmcTrial trial;
  };
  struct Private {};
  GcmcArrays a;
  Share share;
  int teams, threads;
  double* ofTeam;
  Trace trace{};

  HOST_DEVICE int phases(int) const { return 4; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&,
                         std::byte* dynamic) const {
    double* const sum = reinterpret_cast<double*>(dynamic);
    if (p == 0) {
      if (thread == 0) s.trial = gcmcTrial(a);
      if constexpr (Trace::kOn)
        if (thread == 0 && team == 0) trace.choose(a, s.trial, Trace::idOf(a, s.trial));
    } else if (p == 1) {
      sum[thread] = s.trial.idle ? 0.0 : share.change(a, s.trial, team, thread, trace);
    } else if (p == 2) {
      gcmcFold(sum, threads, thread);
    } else if (thread == 0) {
      ofTeam[team] = gcmcFolded(sum, threads);
      if constexpr (Trace::kOn) trace.partial(s.trial, team, threads, ofTeam[team]);
    }
  }

  HOST_DEVICE int finishPhases() const { return 3; }
  HOST_DEVICE void finish(int p, int thread, Shared&, Private&, std::byte* dynamic) const {
    double* const sum = reinterpret_cast<double*>(dynamic);
    if (p == 0) {
      sum[thread] = 0;
      for (int k = thread; k < teams; k += threads) sum[thread] += ofTeam[k];
    } else if (p == 1) {
      gcmcFold(sum, threads, thread);
    } else if (thread == 0) {
      gcmcFinish(a, gcmcTrial(a), gcmcFolded(sum, threads), trace);
    }
  }
};

// Without cells: thread after thread, over all particles (S0, Algorithms 3 and 4).
struct GcmcAllParticles {
  std::uint32_t stride;  // threads of all teams
  int threads;

  HOST_DEVICE double change(const GcmcArrays& a, const GcmcTrial& t, int team, int thread,
                            const auto& trace) const {
    double u = 0;
    const auto first = static_cast<std::uint32_t>(team * threads + thread);
    for (std::uint32_t slot = first; slot < t.n; slot += stride)
      u += gcmcChange(a, t, slot, t.old, t.fresh, {team, thread, 0, 1, false}, ~0u, trace);
    return u;
  }
};

// The neighbour cells of the old and of the new position, by a mapping (S0, Algorithms 6 and 7).
// For a displacement within a cell they are the same ones: each particle is read once (3.2.2).
struct GcmcNeighbourCells {
  GcmcMapping mapping;

  HOST_DEVICE double change(const GcmcArrays& a, const GcmcTrial& t, int team, int thread,
                            const auto& trace) const {
    const GcmcCube& cube = a.grid.cube;
    const bool same = t.old && t.fresh && cube.cellOf(t.from) == cube.cellOf(t.to);
    double u = 0;
    for (int k = 0; k < mapping.inTurn; ++k) {
      const GcmcVisit v = gcmcVisit(mapping, team, thread, k);
      const auto lane = static_cast<std::uint32_t>(v.lane),
                 lanes = static_cast<std::uint32_t>(mapping.lanes);
      const auto visit = [&](GcmcPoint p, bool old, bool fresh) {
        const GcmcReader who{team, thread, k, mapping.lanes, lane == 0};
        u += gcmcChangeByCell(a, t, gcmcCubeCell(cube, p, v.neighbour).cell, lane, lanes, old,
                              fresh, who, trace);
      };
      if (t.old) visit(t.from, true, same);
      if (t.fresh && !same) visit(t.to, false, true);
    }
    return u;
  }
};

// Moves by one block with a thread per microcell of the cube around the old and the new position
// (S0, 3.3): one move per kernel, or many (3.3.4), without anything between blocks.

inline constexpr int kGcmcMicrocellEntries = 5;        // per microcell to begin with (S0, 3.3)
inline constexpr int kGcmcMostMicrocellThreads = 512;  // 8 x 8 x 8; more microcells come in turn

// Threads of the block for a cube; most: of a block, 0: as published.
inline int gcmcMicrocellThreads(const GcmcCube& cube, int most) {
  return std::min(most > 0 ? most : kGcmcMostMicrocellThreads, cube.cells());
}

// Microcells of a thread: thread, thread + threads, ... of the cube, in gcmcCubeCell().
template <class Trace = NoGcmcTrace>
struct GcmcMicrocellMoves {
  struct Shared {
    GcmcTrial trial;
  };
  struct Private {};
  GcmcArrays a;
  int moves, threads;
  bool skipBeyond;
  Trace trace{};

  static constexpr int kPhases = 4;  // of a move
  HOST_DEVICE int phases(int) const { return kPhases * moves; }
  HOST_DEVICE void phase(int p, int, int thread, Shared& s, Private&, std::byte* dynamic) const {
    double* const sum = reinterpret_cast<double*>(dynamic);
    const int stage = p % kPhases;
    if (stage == 0) {
      if (thread == 0) s.trial = gcmcTrial(a);
      if constexpr (Trace::kOn)
        if (thread == 0) trace.choose(a, s.trial, Trace::idOf(a, s.trial));
    } else if (stage == 1) {
      sum[thread] = s.trial.idle ? 0.0 : change(s.trial, thread);
    } else if (stage == 2) {
      gcmcFold(sum, threads, thread);
    } else if (thread == 0) {
      const double dU = gcmcFolded(sum, threads);
      if constexpr (Trace::kOn) trace.partial(s.trial, 0, threads, dU);
      gcmcFinish(a, s.trial, dU, trace);
    }
  }

 private:
  HOST_DEVICE double change(const GcmcTrial& t, int thread) const {
    double u = 0;
    for (int k = thread; k < a.grid.cube.cells(); k += threads) {
      if (t.old) u += byMicrocell(t, t.from, k, false);
      if (t.fresh) u += byMicrocell(t, t.to, k, true);
    }
    return u;
  }
  HOST_DEVICE double byMicrocell(const GcmcTrial& t, GcmcPoint p, int k, bool fresh) const {
    const GcmcCubeCell c = gcmcCubeCell(a.grid.cube, p, k);
    const GcmcReader who{0, k % threads, k / threads, 1, true};
    if (skipBeyond && gcmcBeyond(a.grid, a.rules.pair, p, c)) {
      if constexpr (Trace::kOn)
        trace.visit(c.cell, a.grid.filled[c.cell], who, fresh ? GcmcSide::fresh : GcmcSide::old,
                    true);
      return 0;
    }
    return gcmcChangeByCell(a, t, c.cell, 0, 1, !fresh, fresh, who, trace);
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
