// Moves by one block with a thread per microcell of the cube around the old and the new position
// (S0, 3.3): one move per kernel, or many (3.3.4), without anything between blocks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/block_moves.h"
#include "sim/algo/gcmc/step.h"
#include "sim/algo/gcmc/trace.h"
#include "sim/exec/team.h"

namespace cellscope {

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

}  // namespace cellscope
