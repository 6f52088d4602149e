// The parallel work of a batch of moves in flight, but for the decisions (flight_decide.h): draw
// and register, settle what is settled from the beginning, apply what a round has decided.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/flight.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Move i of the next batch: its random numbers, and its place in the list of its cell.
struct GcmcFlightDraw {
  GcmcFlights g;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!g.begins() || i >= g.sizeOfNext()) return;
    const auto move = static_cast<std::uint32_t>(i);
    const GcmcSlotDraw d = gcmcSlotDraw(g.p, g.head->move + move);
    GcmcFlight f{};
    f.kind = static_cast<std::uint8_t>(d.kind);
    f.cell[0] = f.cell[1] = d.cell;
    f.slot = d.slot;
    f.batch = static_cast<std::uint32_t>(g.base() / g.most);
    f.id = -1;
    f.to = d.point;
    if (d.kind == GcmcKind::insertion) {
      f.from = d.point;
      f.id = g.p.idBase + static_cast<ParticleId>(g.head->move + move);
      f.settled = 1;
    }
    g.at(move) = f;
    GcmcVerdict& v = g.verdict[move];
    v.a = d.a;
    v.waits = 0, v.settles = 0;
    g.decided[move] = 0;
    gcmcPush(g, d.cell, kKnown, move);
  }
};

// The next place of a list; on a GPU one addition for all threads of a warp that ask together.
HOST_DEVICE std::uint32_t gcmcTakeEntry(std::uint32_t* taken) {
#ifdef __CUDA_ARCH__
  const unsigned asking = __activemask(), lane = threadIdx.x % 32;
  const int first = __ffs(static_cast<int>(asking)) - 1;
  std::uint32_t place = 0;
  if (static_cast<int>(lane) == first)
    place = exec::addGlobal(taken, static_cast<std::uint32_t>(__popc(asking)));
  return __shfl_sync(asking, place, first) +
         static_cast<std::uint32_t>(__popc(asking & ((1u << lane) - 1)));
#else
  return exec::addGlobal(taken, 1);
#endif
}

// The end of a batch, and of the turn with its last one. By one thread.
HOST_DEVICE void gcmcFlightEnd(const GcmcFlights& g) {
  GcmcFlightHead& h = *g.head;
  const std::uint32_t rounds = h.round;
  h.counts.batches++;
  h.counts.rounds += rounds;
  h.counts.batchesOf[rounds < kFlightRounds ? rounds : kFlightRounds]++;
  h.stage = GcmcFlightStage::between;
  h.round = 0;
  h.waiting[0] = h.waiting[1] = h.waiting[2] = 0;
  h.batch = h.batch + 1 == 0 ? 1 : h.batch + 1;
  h.move += h.size;
  if (h.move % g.turn != 0) return;
  h.stopped = h.fullInTurn > 0 ? 1 : 0;
  h.fullInTurn = 0;
}

// An accepted move.
HOST_DEVICE void gcmcApply(const GcmcSlotCells& p, GcmcFlight& f) {
  if (f.kind == static_cast<std::uint8_t>(GcmcKind::insertion)) {
    f.slot = p.filled[f.cell[0]];
    p.add(f.cell[0], f.to, f.id);
  } else if (f.kind == static_cast<std::uint8_t>(GcmcKind::deletion)) {
    p.remove(f.cell[0], f.slot);
  } else if (f.cell[0] == f.cell[1]) {
    p.put(f.cell[0], f.slot, f.to);
  } else {
    p.remove(f.cell[0], f.slot);
    p.add(f.cell[1], f.to, f.id);
  }
}

// Of the moves of the next batch, a team for many: those that have drawn a slot which stays empty
// whatever happens are done; what others have drawn is settled, where it is.
struct GcmcFlightSettle {
  static constexpr int kThreads = 128;
  GcmcFlights g;
  struct Shared {
    std::uint32_t empty;
  };
  struct Private {};

  HOST_DEVICE int phases(int) const { return 3; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& shared, Private&) const {
    if (p == 0 && thread == 0) shared.empty = 0;
    if (p == 1) settle(static_cast<std::uint32_t>(team * kThreads + thread), shared);
    if (p == 2 && thread == 0) exec::addGlobal(&g.head->counts.empty, std::uint64_t{shared.empty});
  }
  HOST_DEVICE int finishPhases() const { return 1; }
  HOST_DEVICE void finish(int, int thread, Shared&, Private&) const {
    if (thread != 0 || !g.begins()) return;
    GcmcFlightHead& h = *g.head;
    if (g.base() == 0) h.factors = gcmcSlotFactors(g.p, h.move, h.n);
    h.size = g.sizeOfNext();
    h.counts.waiting[0] += h.waiting[0];
    h.stage = GcmcFlightStage::inFlight;
    if (h.waiting[0] == 0) gcmcFlightEnd(g);
  }

 private:
  HOST_DEVICE void settle(std::uint32_t move, Shared& shared) const {
    if (!g.begins() || move >= g.sizeOfNext()) return;
    GcmcFlight& f = g.at(move);
    if (!f.settled) {
      const bool there = f.slot < g.p.filled[f.cell[0]];
      if (there ? staysWhatItIs(f, move) : staysEmpty(f, move)) {
        if (!there) {
          f.empty = 1, f.settled = 1, f.round = 1;
          g.decided[move] = 1;
          exec::addShared(&shared.empty, 1);
          return;
        }
        f.settled = 1;
        f.from = g.p.point(f.cell[0], f.slot);
        f.id = g.p.idOf(f.cell[0], f.slot);
        const GcmcPoint offset = f.to;
        f.to = f.from;
        if (gcmcStays(kindOf(f))) {
          f.to = gcmcSlotDisplaced(g.p, kindOf(f), offset, f.from);
          f.cell[1] = g.p.cube.cellOf(f.to);
          if (f.cell[1] != f.cell[0]) possible(f.cell[1], move * kBoxCells);
        }
      } else if (gcmcStays(kindOf(f))) {
        const GcmcWords own = gcmcWordsOf(g.p, f.cell[0]);
        gcmcOverlapped(g.p, gcmcDisplacedWords(g.p, own, kindOf(f), f.to),
                       [&](std::uint32_t corner, std::uint32_t cell) {
                         possible(cell, move * kBoxCells + corner);
                       });
      }
    }
    const std::uint32_t place = gcmcTakeEntry(&g.head->waiting[0]);
    g.list[0][place] = move;
  }

  HOST_DEVICE static GcmcKind kindOf(const GcmcFlight& f) { return static_cast<GcmcKind>(f.kind); }
  HOST_DEVICE void possible(std::uint32_t cell, std::uint32_t entry) const {
    gcmcPush(g, cell, kPossible, entry);
  }
  // f(move, of it) for the moves that have drawn a cell or insert into it.
  HOST_DEVICE void known(std::uint32_t cell, const auto& f) const {
    for (std::uint32_t e = gcmcFirstOf(g, cell, kKnown); e != kNoEntry; e = g.nextKnown[e]) f(e);
  }

  // A filled slot changes only where its particle or the last one of the cell goes or moves.
  HOST_DEVICE bool staysWhatItIs(const GcmcFlight& f, std::uint32_t move) const {
    if (g.ignore) return true;
    std::uint32_t leaving = 0;
    bool same = false;
    known(f.cell[0], [&](std::uint32_t e) {
      const GcmcFlight& o = g.at(e);
      if (e >= move || kindOf(o) == GcmcKind::insertion) return;
      ++leaving;
      same = same || o.slot == f.slot;
    });
    return !same && f.slot + leaving < g.p.filled[f.cell[0]];
  }
  // An empty slot is filled only by this number of arriving particles.
  HOST_DEVICE bool staysEmpty(const GcmcFlight& f, std::uint32_t move) const {
    if (g.ignore) return true;
    const std::uint32_t cell = f.cell[0], missing = f.slot - g.p.filled[cell];
    std::uint32_t coming = 0;
    known(cell, [&](std::uint32_t e) {
      coming += e < move && kindOf(g.at(e)) == GcmcKind::insertion ? 1 : 0;
    });
    if (coming > missing || !g.near) return false;
    std::uint32_t first[27];  // all on their way at the same time
    gcmcForAround(g.p, cell, [&](std::uint32_t from, int k) {
      first[k] = from == cell ? kNoEntry : gcmcFirstOf(g, from, kKnown);
    });
    const int none = g.p.rules.dimension == 3 ? 0 : 9;  // in the plane the middle nine
    for (int k = none; k < 27 - none && coming <= missing; ++k)
      for (std::uint32_t e = first[k]; e != kNoEntry; e = g.nextKnown[e])
        coming += e < move && gcmcStays(kindOf(g.at(e))) ? 1 : 0;
    return coming <= missing;
  }
};

// Takes over what a round has found out, a team for many undecided moves.
struct GcmcFlightApply {
  static constexpr int kThreads = 128;
  GcmcFlights g;
  struct Shared {
    std::uint32_t attempted[kGcmcKinds], accepted[kGcmcKinds], empty, full;
    double change;
  };
  struct Private {};

  HOST_DEVICE int phases(int) const { return 3; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& shared, Private&) const {
    if (p == 0 && thread == 0) shared = {};
    if (p == 1) takeOver(team * kThreads + thread, shared);
    if (p == 2 && thread == 0) add(shared);
  }
  HOST_DEVICE int finishPhases() const { return 1; }
  HOST_DEVICE void finish(int, int thread, Shared&, Private&) const {
    if (thread == 0 && g.head->stage == GcmcFlightStage::inFlight) endRound();
  }

  // --- The parts, for callers that make rounds in another way. ---

  // Undecided move `index` of a round.
  HOST_DEVICE void takeOver(std::uint32_t index, std::uint32_t round, Shared& shared) const {
    const std::uint32_t move = g.list[round % 2][index];
    GcmcFlight& f = g.at(move);
    GcmcVerdict& v = g.verdict[move];
    if (v.settles) {
      f.settled = 1, f.from = v.from, f.to = v.to, f.id = v.id, f.cell[1] = v.target;
      v.settles = 0;
    }
    if (v.waits != 0) {
      f.waited = v.waits;
      const std::uint32_t place = gcmcTakeEntry(&g.head->waiting[(round + 1) % 3]);
      g.list[(round + 1) % 2][place] = move;
      return;
    }
    f.round = round + 1;
    g.decided[move] = 1;
    f.empty = v.empty, f.full = v.full, f.accepted = v.accepted;
    f.change = v.change;
    if (f.empty) {
      exec::addShared(&shared.empty, 1);
      return;
    }
    exec::addShared(&shared.attempted[f.kind], 1);
    if (f.full) exec::addShared(&shared.full, 1);
    if (!f.accepted) return;
    exec::addShared(&shared.accepted[f.kind], 1);
    exec::addShared(&shared.change, v.change);
    if (!g.ignore) gcmcApply(g.p, f);
  }
  // What the threads of a team have found, by one of them.
  HOST_DEVICE void add(const Shared& s) const {
    GcmcFlightHead& h = *g.head;
    for (int k = 0; k < kGcmcKinds; ++k) {
      if (s.attempted[k] > 0) {
        exec::addGlobal(&h.counters.attempted[k], std::uint64_t{s.attempted[k]});
        exec::addGlobal(&h.counts.moves, std::uint64_t{s.attempted[k]});
      }
      if (s.accepted[k] > 0) exec::addGlobal(&h.counters.accepted[k], std::uint64_t{s.accepted[k]});
    }
    constexpr auto in = static_cast<int>(GcmcKind::insertion);
    constexpr auto out = static_cast<int>(GcmcKind::deletion);
    const std::uint32_t come = s.accepted[in] - s.accepted[out];  // modulo 2^32
    if (come != 0) exec::addGlobal(&h.n, come);
    if (s.change != 0) exec::addGlobal(&h.energy, s.change);
    if (s.empty > 0) exec::addGlobal(&h.counts.empty, std::uint64_t{s.empty});
    if (s.full > 0) {
      exec::addGlobal(&h.counts.full, std::uint64_t{s.full});
      exec::addGlobal(&h.fullInTurn, s.full);
    }
  }
  // By one thread, when all are taken over.
  HOST_DEVICE void endRound() const {
    GcmcFlightHead& h = *g.head;
    const std::uint32_t r = h.round++, left = h.waiting[(r + 1) % 3];
    h.waiting[(r + 2) % 3] = 0;
    h.counts.waiting[r + 1 < kFlightRounds ? r + 1 : kFlightRounds] += left;
    if (left == 0) gcmcFlightEnd(g);
  }

 private:
  HOST_DEVICE void takeOver(int thread, Shared& shared) const {
    const GcmcFlightHead& h = *g.head;
    const auto index = static_cast<std::uint32_t>(thread);
    if (h.stage != GcmcFlightStage::inFlight || index >= h.waiting[h.round % 3]) return;
    takeOver(index, h.round, shared);
  }
};

// Wrong on purpose: all moves of a batch have decided with the state before it. What is accepted is
// applied one after another, where it still can be: the particle may be gone.
struct GcmcFlightApplyAll {
  GcmcFlights g;
  HOST_DEVICE void operator()(std::size_t) const {
    const GcmcFlightHead& h = *g.head;
    if (h.stage != GcmcFlightStage::inFlight) return;
    for (std::uint32_t move = 0; move < h.size; ++move) {
      GcmcFlight& f = g.at(move);
      GcmcVerdict& v = g.verdict[move];
      if (f.round == 0 && v.accepted) v.accepted = apply(f) ? 1 : 0;
    }
  }

 private:
  HOST_DEVICE bool apply(GcmcFlight& f) const {
    const GcmcSlotCells& p = g.p;
    const bool room = p.filled[f.cell[1]] < p.slots;
    if (f.kind == static_cast<std::uint8_t>(GcmcKind::insertion)) {
      if (room) p.add(f.cell[0], f.to, f.id);
      return room;
    }
    std::uint32_t k = 0;
    while (k < p.filled[f.cell[0]] && p.idOf(f.cell[0], k) != f.id) ++k;
    if (k == p.filled[f.cell[0]]) return false;
    if (gcmcStays(static_cast<GcmcKind>(f.kind))) {
      if (f.cell[0] == f.cell[1]) {
        p.put(f.cell[0], k, f.to);
        return true;
      }
      if (!room) return false;
      p.add(f.cell[1], f.to, f.id);
    }
    p.remove(f.cell[0], k);
    return true;
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
