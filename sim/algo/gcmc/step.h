// One move of the chain on arrays in the memory of a backend: what comes before the energies and
// what comes after them. All methods of blocks and threads share it. Work on all particles.
#pragma once
#include "sim/algo/gcmc/engine.h"
#include "sim/exec/atomic.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// What of the chain changes from move to move, besides particles and cells.
struct GcmcHead {
  std::uint64_t move = 0;  // the next one
  std::uint64_t end = 0;   // moves below it are asked for
  std::uint32_t n = 0;     // particles
  // A cell or the particle array had no room for what move `move` was to put there. Nothing was
  // changed; no move is made until there is room.
  std::uint32_t stopped = 0;
  std::uint32_t fullCell = 0;  // which cell; kGcmcNoCell: the particle array
  double energy = 0;
  double acceptance = 0;  // GcmcState::acceptance
  GcmcCounters counters;
};
inline constexpr std::uint32_t kGcmcNoCell = ~0u;

// What kernels need, by value.
struct GcmcArrays {
  GcmcRules rules;
  GcmcHead* head;
  GcmcPoint* point;        // by slot
  ParticleId* id;          // null: not kept
  std::uint32_t capacity;  // of both
  ParticleId idBase;
  GcmcGrid grid;
  GcmcEvent* event;  // that of move m at place m % eventCapacity; null: not wanted
  std::uint64_t eventCapacity;
};

// A move that is being tried. The particle itself does not count in its energies: `slot`.
struct GcmcTrial {
  GcmcDraw draw;
  std::uint32_t n;     // particles before the move
  std::uint32_t slot;  // of the particle; kGcmcNoSlot: an insertion, or there is none
  GcmcPoint from, to;  // an insertion has no `from`, a deletion no `to`
  bool idle;           // nothing to do: no move is asked for
  bool old, fresh;     // whether there is an energy at `from`, at `to`
};
inline constexpr std::uint32_t kGcmcNoSlot = ~0u;

// draw: that of the next move, a.head->move.
HOST_DEVICE GcmcTrial gcmcTrialOf(const GcmcArrays& a, const GcmcDraw& draw) {
  GcmcTrial t{};
  t.n = a.head->n;
  t.slot = kGcmcNoSlot;
  t.idle = a.head->stopped != 0 || a.head->move >= a.head->end;
  if (t.idle) return t;
  t.draw = draw;
  t.from = t.to = t.draw.point;
  const GcmcKind kind = t.draw.kind;
  if (kind != GcmcKind::insertion) {
    if (t.n == 0) return t;
    t.slot = gcmcSlot(t.draw, t.n);
    t.from = t.to = a.point[t.slot];
    if (gcmcStays(kind)) t.to = gcmcDisplaced(a.rules, t.draw, t.from);
  }
  t.old = kind != GcmcKind::insertion;
  t.fresh = kind != GcmcKind::deletion;
  return t;
}
HOST_DEVICE GcmcTrial gcmcTrial(const GcmcArrays& a) {
  return gcmcTrialOf(a, gcmcDraw(a.rules, a.head->move));
}

// Change of the energy by the particle in slot j: what it has with the one that is tried at `to`,
// less that at `from`; either is left out on demand.
HOST_DEVICE double gcmcChange(const GcmcArrays& a, const GcmcTrial& t, std::uint32_t j, bool old,
                              bool fresh) {
  if (j == t.slot) return 0;
  const GcmcPoint other = a.point[j];
  double u = 0;
  if (fresh) u += gcmcPairAt(a.rules.pair, t.to, other);
  if (old) u -= gcmcPairAt(a.rules.pair, t.from, other);
  return u;
}

// Whether there is room for an accepted move; else the chain stops.
HOST_DEVICE bool gcmcHasRoom(const GcmcArrays& a, const GcmcTrial& t) {
  if (!t.fresh) return true;
  std::uint32_t full = kGcmcNoCell;
  bool room = gcmcStays(t.draw.kind) || t.n < a.capacity;
  if (room && a.grid.capacity > 0) {
    full = a.grid.cube.cellOf(t.to);
    room = (t.old && a.grid.cube.cellOf(t.from) == full) || !a.grid.full(full);
  }
  if (room) return true;
  a.head->fullCell = full;
  a.head->stopped = 1;
  return false;
}

// The incremental update of particles and cells (S0, 3.2.5).
HOST_DEVICE void gcmcInsert(const GcmcArrays& a, const GcmcTrial& t) {
  a.point[t.n] = t.to;
  if (a.id != nullptr) a.id[t.n] = a.idBase + static_cast<ParticleId>(a.head->move);
  if (a.grid.capacity > 0) a.grid.add(a.grid.cube.cellOf(t.to), t.n);
  a.head->n = t.n + 1;
}
HOST_DEVICE void gcmcDelete(const GcmcArrays& a, const GcmcTrial& t) {
  const std::uint32_t last = t.n - 1;
  if (a.grid.capacity > 0) {
    a.grid.remove(a.grid.cube.cellOf(t.from), t.slot);
    if (t.slot != last) a.grid.rename(a.grid.cube.cellOf(a.point[last]), last, t.slot);
  }
  a.point[t.slot] = a.point[last];
  if (a.id != nullptr) a.id[t.slot] = a.id[last];
  a.head->n = last;
}
HOST_DEVICE void gcmcDisplace(const GcmcArrays& a, const GcmcTrial& t) {
  if (a.grid.capacity > 0) {
    const std::uint32_t was = a.grid.cube.cellOf(t.from), is = a.grid.cube.cellOf(t.to);
    if (was != is) {
      a.grid.remove(was, t.slot);
      a.grid.add(is, t.slot);
    }
  }
  a.point[t.slot] = t.to;
}
HOST_DEVICE void gcmcApply(const GcmcArrays& a, const GcmcTrial& t) {
  if (gcmcStays(t.draw.kind))
    gcmcDisplace(a, t);
  else if (t.draw.kind == GcmcKind::insertion)
    gcmcInsert(a, t);
  else
    gcmcDelete(a, t);
}

HOST_DEVICE void gcmcWriteEvent(const GcmcArrays& a, const GcmcTrial& t, bool accepted, double dU) {
  const bool insertion = t.draw.kind == GcmcKind::insertion;
  const ParticleId id = insertion               ? a.idBase + static_cast<ParticleId>(a.head->move)
                        : t.slot == kGcmcNoSlot ? ParticleId{-1}
                                                : a.id[t.slot];
  a.event[a.head->move % a.eventCapacity] = {a.head->move, t.draw.kind, accepted, id,
                                             t.from,       t.to,        dU};
}

// Decide and do what was decided; by one thread, when all have added their energies. Returns
// whether the move was accepted.
HOST_DEVICE bool gcmcFinish(const GcmcArrays& a, const GcmcTrial& t, double dU) {
  if (t.idle) return false;
  const bool somebody = t.old || t.fresh;
  const bool accepted = somebody && gcmcAccepts(a.rules, t.draw, t.n, dU);
  if (accepted && !gcmcHasRoom(a, t)) return false;
  const int kind = static_cast<int>(t.draw.kind);
  if (somebody) gcmcCollect(a.rules, t.draw, t.n, dU);
  a.head->counters.attempted[kind]++;
  if (a.event != nullptr) gcmcWriteEvent(a, t, accepted, dU);
  if (accepted) {
    a.head->counters.accepted[kind]++;
    a.head->energy += dU;
    gcmcApply(a, t);
  }
  a.head->move++;
  return accepted;
}

// --- Work on all particles of a chain: binning, sums over unique pairs, energies at points. ---

// Puts particle i into its cell (S0, 3.2.1); `most` becomes the largest number in a cell. Entries
// beyond the capacity are only counted.
struct GcmcBin {
  GcmcGrid grid;
  const GcmcPoint* point;
  std::uint32_t* most;
  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t cell = grid.cube.cellOf(point[i]);
    const std::uint32_t k = exec::addGlobal(grid.filled + cell, 1);
    if (k < grid.capacity) grid.at(cell, k) = static_cast<std::uint32_t>(i);
    exec::maxGlobal(most, k + 1);
  }
};

HOST_DEVICE void gcmcAddPair(const GcmcPair& pair, GcmcPoint p, GcmcPoint q, GcmcSums& sums) {
  const GcmcReduced d = gcmcReduced(pair, p, q);
  if (!(d.r2 < pair.cutoffSquared)) return;
  sums.energy += gcmcPairEnergy(pair, d.r2, d.epsilon);
  sums.virial += gcmcPairVirial(pair, d.r2, d.epsilon);
}

// Pairs of particle i, each pair once. Without cells: with the n / 2 that follow it in a ring, so
// that all have the same work (S0, 3.1.1); with cells: with those of lower slots in its cube.
struct GcmcPairsOf {
  GcmcArrays a;
  HOST_DEVICE GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const auto slot = static_cast<std::uint32_t>(i);
    const GcmcPoint p = a.point[slot];
    if (a.grid.capacity == 0) {
      const std::uint32_t n = a.head->n;
      const std::uint32_t half = (n - 1) / 2 + (n % 2 == 0 && slot < n / 2 ? 1 : 0);
      for (std::uint32_t k = 1, j = slot; k <= half; ++k) {
        j = j + 1 < n ? j + 1 : 0;
        gcmcAddPair(a.rules.pair, p, a.point[j], sums);
      }
      return sums;
    }
    for (int k = 0; k < a.grid.cube.cells(); ++k) {
      const std::uint32_t cell = gcmcCubeCell(a.grid.cube, p, k).cell;
      for (std::uint32_t e = 0; e < a.grid.filled[cell]; ++e) {
        const std::uint32_t j = a.grid.at(cell, e);
        if (j < slot) gcmcAddPair(a.rules.pair, p, a.point[j], sums);
      }
    }
    return sums;
  }
};

// Energy of one more particle at each point.
struct GcmcEnergyAt {
  GcmcArrays a;
  const GcmcPoint* at;
  double* energy;
  HOST_DEVICE void operator()(std::size_t i) const {
    const GcmcPoint p = at[i];
    double u = 0;
    if (a.grid.capacity == 0) {
      for (std::uint32_t j = 0; j < a.head->n; ++j) u += gcmcPairAt(a.rules.pair, p, a.point[j]);
    } else {
      for (int k = 0; k < a.grid.cube.cells(); ++k) {
        const std::uint32_t cell = gcmcCubeCell(a.grid.cube, p, k).cell;
        for (std::uint32_t e = 0; e < a.grid.filled[cell]; ++e)
          u += gcmcPairAt(a.rules.pair, p, a.point[a.grid.at(cell, e)]);
      }
    }
    energy[i] = u;
  }
};

// A change of the head of a chain by the host, in the order of the other work.
template <class Head>
struct GcmcAsk {
  Head* head;
  std::uint64_t end;
  HOST_DEVICE void operator()(std::size_t) const {
    head->end = end;
    head->stopped = 0;
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
