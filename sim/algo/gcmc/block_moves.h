// One move by many blocks: every block adds up its share of the energy change, the last one to be
// done adds up the blocks, decides and applies (S0, Algorithms 2 to 7). A team is a block.
//
// Share selects the particles that a thread meets and adds up what they change:
//   template <class Trace>
//   HOST_DEVICE double change(const GcmcArrays&, const GcmcTrial&, int team, int thread,
//                             const Trace&) const;
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/mapping.h"
#include "sim/algo/gcmc/step.h"
#include "sim/algo/gcmc/trace.h"
#include "sim/exec/team.h"

namespace cellscope {

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

  template <class Trace>
  HOST_DEVICE double change(const GcmcArrays& a, const GcmcTrial& t, int team, int thread,
                            const Trace& trace) const {
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

  template <class Trace>
  HOST_DEVICE double change(const GcmcArrays& a, const GcmcTrial& t, int team, int thread,
                            const Trace& trace) const {
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

}  // namespace cellscope
