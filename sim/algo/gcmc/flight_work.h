// The parallel work of a batch of moves in flight, but for the decisions (flight_decide.h): draw
// and register, carry out what is accepted.
#pragma once
#include "sim/algo/gcmc/flight.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// A move as it is drawn, with what it would do in the present configuration. batch: of the turn.
HOST_DEVICE GcmcFlight gcmcDrawn(const GcmcSlotCells& p, const GcmcSlotDraw& d, std::uint64_t move,
                                 std::uint64_t batch) {
  GcmcFlight f{};
  f.kind = static_cast<std::uint8_t>(d.kind);
  f.cell[0] = f.cell[1] = d.cell;
  f.slot = d.slot;
  f.batch = static_cast<std::uint32_t>(batch);
  f.round = 1;
  f.id = -1;
  f.a = d.a;
  if (d.kind == GcmcKind::insertion) {
    f.from = f.to = d.point;
    f.id = p.idBase + static_cast<ParticleId>(move);
  } else if (d.slot >= p.filled[d.cell]) {
    f.empty = 1;
  } else {
    f.from = f.to = p.point(d.cell, d.slot);
    f.id = p.idOf(d.cell, d.slot);
    if (gcmcStays(d.kind)) {
      f.to = gcmcSlotDisplaced(p, d.kind, d.point, f.from);
      f.cell[1] = p.cube.cellOf(f.to);
    }
  }
  return f;
}

// The moves of the next batch, a team for many: their random numbers, what they would do in the
// present configuration, and their places in the lists of cells.
struct GcmcFlightDraw {
  static constexpr int kThreads = 128;
  GcmcFlights g;
  struct Shared {};
  struct Private {};

  HOST_DEVICE int phases(int) const { return 1; }
  HOST_DEVICE void phase(int, int team, int thread, Shared&, Private&) const {
    const auto move = static_cast<std::uint32_t>(team * kThreads + thread);
    if (g.begins() && move < g.sizeOfNext()) draw(move);
  }
  HOST_DEVICE int finishPhases() const { return 1; }
  HOST_DEVICE void finish(int, int thread, Shared&, Private&) const {
    if (thread != 0 || !g.begins()) return;
    GcmcFlightHead& h = *g.head;
    if (g.base() == 0) h.factors = gcmcSlotFactors(g.p, h.move, h.n);
    h.size = g.sizeOfNext();
    h.stage = GcmcFlightStage::inFlight;
  }

 private:
  HOST_DEVICE void draw(std::uint32_t move) const {
    const std::uint64_t number = g.head->move + move;
    const GcmcSlotDraw d = gcmcSlotDraw(g.p, number);
    GcmcFlight f = gcmcDrawn(g.p, d, number, g.base() / g.most);
    if (f.cell[1] != d.cell) gcmcRegister(g, move, f, d.point);
    g.at(move) = f;
    g.accepted[move] = 0;
    g.mark[move] = 0;
    gcmcPush(g, d.cell, kKnown, move);
    if (!f.empty) g.looks[gcmcTakeEntry(&g.head->looks[0])] = move;
  }
};

// The end of a batch, and of the turn with its last one. By one thread.
HOST_DEVICE void gcmcFlightEnd(const GcmcFlights& g) {
  GcmcFlightHead& h = *g.head;
  const std::uint32_t rounds = h.round;
  h.counts.batches++;
  h.counts.rounds += rounds;
  h.counts.batchesOf[rounds < kFlightRounds ? rounds : kFlightRounds]++;
  h.stage = GcmcFlightStage::between;
  h.round = 0;
  for (int k = 0; k < 3; ++k) h.looks[k] = h.changes[k] = h.moved[k] = 0;
  h.batch = h.batch + 1 == 0 ? 1 : h.batch + 1;
  h.move += h.size;
  if (h.move % g.turn != 0) return;
  h.stopped = h.fullInTurn > 0 ? 1 : 0;
  h.fullInTurn = 0;
}

// What an accepted move does to one of its cells.
HOST_DEVICE void gcmcApply(const GcmcSlotCells& p, std::uint32_t cell, GcmcFlight& f) {
  const GcmcTaken t = gcmcTakenBy(f);
  const bool leaves = t.leaves(cell), enters = t.enters(cell);
  if (leaves && enters) return p.put(cell, t.slot, t.to);
  if (leaves) return p.remove(cell, t.slot);
  if (t.kind == GcmcKind::insertion) f.slot = p.filled[cell];
  p.add(cell, t.to, t.id);
}

// Carries out and counts what the moves of a batch have decided, a team for many of them.
struct GcmcFlightApply {
  static constexpr int kThreads = 128;
  GcmcFlights g;
  struct Shared {
    std::uint32_t attempted[kGcmcKinds], accepted[kGcmcKinds], empty, full;
    std::uint32_t decided[kFlightRounds + 1];  // by their last round
    double change;
  };
  struct Private {};

  HOST_DEVICE int phases(int) const { return 3; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& shared, Private&) const {
    if (p == 0 && thread == 0) shared = {};
    if (p == 1) take(static_cast<std::uint32_t>(team * kThreads + thread), shared);
    if (p == 2 && thread == 0) add(shared);
  }
  HOST_DEVICE int finishPhases() const { return 1; }
  HOST_DEVICE void finish(int, int thread, Shared&, Private&) const {
    if (thread == 0 && g.head->stage == GcmcFlightStage::inFlight) gcmcFlightEnd(g);
  }

 private:
  HOST_DEVICE void take(std::uint32_t move, Shared& shared) const {
    if (g.head->stage != GcmcFlightStage::inFlight || move >= g.head->size) return;
    const GcmcFlight& f = g.at(move);
    const bool looked = !f.empty || f.round > 1;
    if (looked)
      exec::addShared(&shared.decided[f.round < kFlightRounds ? f.round : kFlightRounds], 1);
    if (f.empty) {
      exec::addShared(&shared.empty, 1);
      return;
    }
    exec::addShared(&shared.attempted[f.kind], 1);
    if (f.full) exec::addShared(&shared.full, 1);
    if (!f.accepted) return;
    exec::addShared(&shared.accepted[f.kind], 1);
    exec::addShared(&shared.change, f.change);
    if (g.ignore) return;  // carried out
    carryOut(f.cell[0], move);
    if (f.cell[1] != f.cell[0]) carryOut(f.cell[1], move);
  }
  // All accepted moves that touch a cell, in their order, by the first one.
  HOST_DEVICE void carryOut(std::uint32_t cell, std::uint32_t move) const {
    bool first = true;
    gcmcForTaken(g, cell, -1, move, [&](const GcmcTaken&, std::uint32_t) { first = false; });
    if (!first) return;
    constexpr std::int64_t kNone = std::int64_t{1} << 40;
    for (std::int64_t at = move; at != kNone;) {
      gcmcApply(g.p, cell, g.at(static_cast<std::uint32_t>(at)));
      std::int64_t next = kNone;
      gcmcForTaken(g, cell, at, kNone, [&](const GcmcTaken&, std::uint32_t other) {
        next = other < next ? other : next;
      });
      at = next;
    }
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
    std::uint64_t later = 0;
    for (int k = kFlightRounds; k > 0; --k) {
      later += s.decided[k];
      if (later > 0) exec::addGlobal(&h.counts.waiting[k - 1], later);
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
      if (f.accepted) f.accepted = apply(f) ? 1 : 0;
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
