// One move in one round: what it decides, and which later moves have to decide again as it does
// otherwise than before. By a crew of lanes that call with the same arguments: one on the CPU, a
// warp on CUDA. A crew has
//   lane()               0 is the one that writes
//   sum(x)               of all lanes
//   wait()               until all lanes are here
//   near(at), near(at, to)  the cells with a point within the cutoff of a position, or of either of
//                        two in the same cell, shared among lanes; the own one is always there
//   forCells(near, f)    f(cell, known, possible) for those of this lane; first entries of its
//                        lists
//   energy(near, at)     sum of pair energies of a particle at the point with all that are there
//   change(near, from, to)  the same at `to`, less that at `from`
#pragma once
#include "sim/algo/gcmc/notes.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Called where pairs are few: loops over many of them are to fit the instruction cache of a GPU.
GCMC_CALLED float gcmcPairCalled(const GcmcPair& pair, GcmcPoint a, GcmcPoint b) {
  return gcmcPairAt(pair, a, b);
}

// With GcmcFlightNotes a crew has besides
//   lanes()                    how many
//   forReads(near, at, v, p)   v(cell, reader, skipped) and p(cell, k, reader) for the cells around
//                              and the particles that energy() and change() read, as they do
template <class Crew, class Notes = NoGcmcTrace>
class GcmcDecide {
 public:
  // factors: those of the head, where reading them is fast.
  HOST_DEVICE GcmcDecide(const GcmcFlights& g, const Crew& crew, std::uint32_t round,
                         const GcmcSlotFactors& factors, const Notes& notes = {})
      : g_(g), p_(g.p), crew_(crew), round_(round), factors_(factors), notes_(notes) {}

  HOST_DEVICE void operator()(std::uint32_t move) const {
    GcmcFlight& f = g_.at(move);
    Move m{move, static_cast<GcmcKind>(f.kind), f.cell[0], f.cell[1], f.from, f.to, f.id};
    Outcome o{};
    o.empty = f.empty != 0, o.before = f.before;
    const bool same = round_ == 0 || m.kind == GcmcKind::insertion || draw(f.slot, m, o.empty);
    bool priced = same && f.priced != 0;
    o.full = !o.empty && comes(m) && heldBy(m.target, move) >= p_.slots;
    if (!o.empty && !o.full) {
      if (!priced) o.before = before(m);
      o.change = o.before + (round_ > 0 ? since(m) : 0.0) + ownPairs(m);
      o.accepted = gcmcSlotAccepts(p_, factors_, m.kind, f.a, o.change);
      if constexpr (Notes::kOn)
        if (g_.head->move + move == notes_.traced)
          notes_.write(g_, crew_,
                       {m.kind, m.own, m.target, m.from, m.to, m.id, f.a, o.change, o.accepted});
      priced = true;
    }
    crew_.wait();
    if (crew_.lane() != 0) return;
    note(f, m, o, priced);
    if (!same && m.target != m.own) g_.moved[gcmcTakeEntry(&g_.head->moved[round_ % 3])] = move;
  }

 private:
  struct Move {
    std::uint32_t move;
    GcmcKind kind;
    std::uint32_t own, target;  // cells of the two points
    GcmcPoint from, to;
    ParticleId id;
  };
  struct Outcome {
    bool empty, full, accepted;
    double before, change;
  };

  HOST_DEVICE void note(GcmcFlight& f, const Move& m, const Outcome& o, bool priced) const {
    f.from = m.from, f.to = m.to, f.cell[1] = m.target, f.id = m.id;
    f.empty = o.empty, f.full = o.full, f.accepted = o.accepted, f.priced = priced;
    f.before = o.before, f.change = o.change;
    f.round = round_ + 1;
    if (round_ > 0) f.because = static_cast<std::uint32_t>(g_.mark[m.move]);
    const bool was = round_ > 0 && g_.accepted[m.move] != 0;
    if (o.accepted == was && (!was || g_.taken[m.move] == gcmcTakenBy(f))) return;
    g_.changes[gcmcTakeEntry(&g_.head->changes[round_ % 3])] = m.move;
  }

  // What the slot holds now; whether that is what it was.
  HOST_DEVICE bool draw(std::uint32_t slot, Move& m, bool& empty) const {
    const bool wasEmpty = empty;
    const Held h = held(m.own, slot, m.move);
    empty = !h.there;
    if (empty) {
      m.target = m.own;
      return false;
    }
    if (!wasEmpty && h.id == m.id && h.at == m.from) return true;
    m.from = m.to = h.at, m.id = h.id, m.target = m.own;
    if (gcmcStays(m.kind)) {
      const GcmcPoint offset = gcmcSlotDraw(p_, g_.head->move + m.move).point;
      m.to = gcmcSlotDisplaced(p_, m.kind, offset, m.from);
      m.target = p_.cube.cellOf(m.to);
    }
    return false;
  }
  // Particles of a cell when the moves before this one have been made. Decisions of earlier moves
  // need not fit together yet: less than 0 then.
  HOST_DEVICE std::int64_t heldBy(std::uint32_t cell, std::uint32_t move) const {
    std::int64_t n = p_.filled[cell];
    if (round_ == 0) return n;
    gcmcForTaken(g_, cell, -1, move, [&](const GcmcTaken& t, std::uint32_t) {
      n += (t.enters(cell) ? 1 : 0) - (t.leaves(cell) ? 1 : 0);
    });
    return n;
  }
  struct Held {
    bool there;
    GcmcPoint at;
    ParticleId id;
  };
  // What a slot holds then: the moves are gone through backwards. Nothing, where decisions do not
  // fit together.
  HOST_DEVICE Held held(std::uint32_t cell, std::int64_t slot, std::uint32_t move) const {
    std::int64_t n = heldBy(cell, move);
    if (slot >= n) return {};
    for (std::int64_t from = move; from > 0;) {
      std::int64_t latest = -1;
      gcmcForTaken(g_, cell, -1, from, [&](const GcmcTaken&, std::uint32_t other) {
        latest = other > latest ? other : latest;
      });
      if (latest < 0) break;
      const GcmcTaken& t = g_.taken[latest];
      const bool enters = t.enters(cell), leaves = t.leaves(cell);
      if (enters && !leaves) --n;
      if (enters && slot == (leaves ? t.slot : n)) return {true, t.to, t.id};
      if (leaves && !enters) {  // the last one filled the hole
        if (slot == t.slot) slot = n;
        ++n;
      }
      from = latest;
    }
    if (slot < 0 || slot >= p_.filled[cell]) return {};
    const auto at = static_cast<std::uint32_t>(slot);
    return {true, p_.point(cell, at), p_.idOf(cell, at)};
  }
  HOST_DEVICE static bool comes(const Move& m) {
    return m.kind == GcmcKind::insertion || m.target != m.own;
  }

  // Pair energy at `to` less that at `from`, as far as the move has them, with all particles of the
  // configuration before the batch.
  HOST_DEVICE double before(const Move& m) const {
    if (isWithinCell(m)) return crew_.change(crew_.near(m.from, m.to), m.from, m.to);
    double u = 0;
    if (m.kind != GcmcKind::deletion) u += crew_.energy(crew_.near(m.to), m.to);
    if (m.kind != GcmcKind::insertion) u -= crew_.energy(crew_.near(m.from), m.from);
    return u;
  }
  // The same with those that earlier moves have brought, less those that they have taken.
  HOST_DEVICE double since(const Move& m) const {
    double u = 0;
    if (isWithinCell(m)) {
      u = changes(crew_.near(m.from, m.to), m.move,
                  [&](GcmcPoint q) { return pair(m.to, q) - pair(m.from, q); });
    } else {
      if (m.kind != GcmcKind::deletion)
        u += changes(crew_.near(m.to), m.move, [&](GcmcPoint q) { return pair(m.to, q); });
      if (m.kind != GcmcKind::insertion)
        u -= changes(crew_.near(m.from), m.move, [&](GcmcPoint q) { return pair(m.from, q); });
    }
    return crew_.sum(u);
  }
  // Of this lane's cells.
  template <class Energy>
  HOST_DEVICE double changes(const typename Crew::Near& near, std::uint32_t move,
                             const Energy& energy) const {
    double u = 0;
    if (!(p_.rules.pair.cutoffSquared > 0)) return u;
    crew_.forCells(near, [&](std::uint32_t cell, std::uint32_t known, std::uint32_t possible) {
      gcmcForTaken(g_, cell, known, possible, -1, move, [&](const GcmcTaken& t, std::uint32_t) {
        if (t.enters(cell)) u += energy(t.to);
        if (t.leaves(cell)) u -= energy(t.from);
      });
    });
    return u;
  }
  HOST_DEVICE double pair(GcmcPoint a, GcmcPoint b) const {
    return gcmcPairCalled(p_.rules.pair, a, b);
  }
  // The particle itself is there: its own terms are taken out, exactly.
  HOST_DEVICE double ownPairs(const Move& m) const {
    if (m.kind == GcmcKind::insertion) return 0;
    const double own = g_.self[gcmcIsMixed(p_.rules.pair) ? gcmcTypeOf(m.from) : 0];
    return gcmcStays(m.kind) ? own - pair(m.to, m.from) : own;
  }
  HOST_DEVICE static bool isWithinCell(const Move& m) {
    return gcmcStays(m.kind) && m.target == m.own;
  }

  const GcmcFlights& g_;
  const GcmcSlotCells& p_;
  const Crew& crew_;
  const std::uint32_t round_;
  const GcmcSlotFactors& factors_;
  const Notes notes_;
};

// A move that does otherwise than before: later ones that this concerns decide again.
template <class Crew>
class GcmcSpread {
 public:
  HOST_DEVICE GcmcSpread(const GcmcFlights& g, const Crew& crew, std::uint32_t round)
      : g_(g), crew_(crew), round_(round) {}

  HOST_DEVICE void operator()(std::uint32_t move) const {
    const GcmcFlight& f = g_.at(move);
    const GcmcTaken now = gcmcTakenBy(f);
    if (g_.accepted[move] != 0) tell(move, g_.taken[move]);
    if (f.accepted) tell(move, now);
    crew_.wait();
    if (crew_.lane() != 0) return;
    g_.accepted[move] = f.accepted;
    g_.taken[move] = now;
  }

 private:
  HOST_DEVICE void tell(std::uint32_t move, const GcmcTaken& t) const {
    if (t.kind != GcmcKind::insertion && t.kind != GcmcKind::deletion && t.own == t.target) {
      tell(move, t.own, crew_.near(t.from, t.to),
           [&](GcmcPoint at) { return interacts(t.from, at) || interacts(t.to, at); });
      return;
    }
    if (t.kind != GcmcKind::insertion)
      tell(move, t.own, crew_.near(t.from), [&](GcmcPoint at) { return interacts(t.from, at); });
    if (t.kind != GcmcKind::deletion)
      tell(move, t.target, crew_.near(t.to), [&](GcmcPoint at) { return interacts(t.to, at); });
  }
  // The later moves that have to do with a cell or have a point in reach.
  template <class Reaches>
  HOST_DEVICE void tell(std::uint32_t move, std::uint32_t own, const typename Crew::Near& near,
                        const Reaches& reaches) const {
    const auto look = [&](std::uint32_t other, const GcmcFlight& o) {
      if (o.cell[0] == own || o.cell[1] == own || (!o.empty && (reaches(o.from) || reaches(o.to))))
        again(other, move);
    };
    crew_.forCells(near, [&](std::uint32_t cell, std::uint32_t known, std::uint32_t possible) {
      for (std::uint32_t e = known; e != kNoEntry; e = g_.nextKnown[e])
        if (e > move) look(e, g_.at(e));
      for (std::uint32_t e = possible; e != kNoEntry; e = g_.nextPossible[e]) {
        const std::uint32_t other = e / kBoxCells;
        if (other <= move) continue;
        const GcmcFlight& o = g_.at(other);
        if (o.cell[1] == cell) look(other, o);
      }
    });
  }
  HOST_DEVICE void again(std::uint32_t other, std::uint32_t because) const {
    const std::uint64_t next = round_ + 1;
    const std::uint64_t of = next << 32 | (g_.base() + because + 1);
    if (exec::maxGlobal(&g_.mark[other], of) >> 32 < next)
      g_.looks[gcmcTakeEntry(&g_.head->looks[next % 3])] = other;
  }
  HOST_DEVICE bool interacts(GcmcPoint a, GcmcPoint b) const {
    return gcmcDistance2(g_.p.rules.pair, a, b) < gcmcReachSquared(g_.p.rules.pair);
  }

  const GcmcFlights& g_;
  const Crew& crew_;
  const std::uint32_t round_;
};

// At the end of a round, by one thread: the counts of the one after the next begin at 0.
HOST_DEVICE void gcmcEndRound(const GcmcFlights& g, std::uint32_t round) {
  GcmcFlightHead& h = *g.head;
  h.round = round + 1;
  const std::uint32_t then = (round + 2) % 3;
  h.looks[then] = h.changes[then] = h.moved[then] = 0;
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
