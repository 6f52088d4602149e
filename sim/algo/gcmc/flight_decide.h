// One undecided move in one round: whether it is ready, and if so, its decision. By a crew of lanes
// that call with the same arguments: one on the CPU, a warp on CUDA. A crew has
//   lane()               0 is the one that writes
//   latest(w)            largest w of all lanes
//   near(at), near(at, to)  the cells with a point within the cutoff of a position, or of either of
//   two
//                        in the same cell, shared among lanes
//   forCells(g, near, f) f(cell, known, possible) for those of this lane; first entries of its
//   lists energy(near, at)     sum of pair energies of a particle at the point with all that are
//   there change(near, from, to)  the same at `to`, less that at `from`
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/flight.h"
#include "sim/algo/gcmc/flight_notes.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// With GcmcFlightNotes a crew has besides
//   lanes()                    how many
//   forReads(near, at, v, p)   v(cell, reader, skipped) and p(cell, k, reader) for the cells around
//                              and the particles that energy() and change() read, as they do
template <class Crew, class Notes = NoGcmcTrace>
class GcmcDecide {
 public:
  HOST_DEVICE GcmcDecide(const GcmcFlights& g, const Crew& crew, const Notes& notes = {})
      : g_(g), crew_(crew), notes_(notes), base_(static_cast<std::uint32_t>(g.base())) {}

  HOST_DEVICE void operator()(std::uint32_t move) const {
    const GcmcFlight& f = flight(move);
    Move m{static_cast<GcmcKind>(f.kind), f.cell[0], f.cell[1], f.from, f.to};
    const bool settled = f.settled != 0;
    const std::uint32_t waited = g_.verdict[move].waits;
    if (waited != 0 && stillWaits(m, settled, waited - 1 - base_)) return;
    Outcome o{};
    if (!settled) settle(move, f.slot, m, o);
    if (o.waits == 0 && !o.empty) look(move, m, o);
    if (crew_.lane() == 0) note(g_.verdict[move], o);
  }

 private:
  using Near = typename Crew::Near;
  struct Move {
    GcmcKind kind;
    std::uint32_t own, target;  // cells of the two points
    GcmcPoint from, to;         // until it is settled `to` holds the words of the offset
  };
  struct Outcome {
    std::uint32_t waits;
    bool empty, full, accepted;
    double change;
  };
  HOST_DEVICE static void note(GcmcVerdict& v, const Outcome& o) {
    v.waits = o.waits;
    v.empty = o.empty, v.full = o.full, v.accepted = o.accepted;
    v.change = o.change;
  }

  HOST_DEVICE const GcmcFlight& flight(std::uint32_t move) const { return g_.flight[base_ + move]; }
  // Whether the move that was in the way in the last round is so for certain.
  HOST_DEVICE bool stillWaits(const Move& m, bool settled, std::uint32_t other) const {
    if (g_.decided[other] != 0) return false;
    if (!settled) return true;  // it touches the cell
    return reaches(other, m.from) || (gcmcStays(m.kind) && reaches(other, m.to));
  }
  HOST_DEVICE bool before(std::uint32_t other, std::uint32_t move) const {
    return other < move && g_.decided[other] == 0;
  }
  // f(other) for the undecided earlier moves in lists that begin with these entries. The next entry
  // is on its way while one is looked at.
  HOST_DEVICE void earlier(std::uint32_t known, std::uint32_t possible, std::uint32_t move,
                           const auto& f) const {
    for (std::uint32_t e = known, next; e != kNoEntry; e = next) {
      next = g_.nextKnown[e];
      if (before(e, move)) f(e);
    }
    for (std::uint32_t e = possible, next; e != kNoEntry; e = next) {
      next = g_.nextPossible[e];
      if (before(e / kBoxCells, move)) f(e / kBoxCells);
    }
  }
  HOST_DEVICE std::uint32_t asWaited(std::uint32_t other) const { return base_ + other + 1; }

  // What the slot holds is known when nothing earlier touches the cell.
  HOST_DEVICE void settle(std::uint32_t move, std::uint32_t slot, Move& m, Outcome& o) const {
    earlier(gcmcFirstOf(g_, m.own, kKnown), gcmcFirstOf(g_, m.own, kPossible), move,
            [&](std::uint32_t other) {
              const std::uint32_t w = asWaited(other);
              o.waits = w > o.waits ? w : o.waits;
            });
    if (o.waits != 0) return;
    o.empty = slot >= g_.p.filled[m.own];
    if (o.empty) return;
    const GcmcPoint offset = m.to;
    m.from = m.to = g_.p.point(m.own, slot);
    m.target = m.own;
    if (gcmcStays(m.kind)) {
      m.to = gcmcSlotDisplaced(g_.p, m.kind, offset, m.from);
      m.target = g_.p.cube.cellOf(m.to);
    }
    if (crew_.lane() != 0) return;
    GcmcVerdict& v = g_.verdict[move];
    v.settles = 1;
    v.from = m.from, v.to = m.to, v.target = m.target;
    v.id = g_.p.idOf(m.own, slot);
  }

  // Or may, with another type.
  HOST_DEVICE bool interacts(GcmcPoint a, GcmcPoint b) const {
    return gcmcDistance2(g_.p.rules.pair, a, b) < gcmcReachSquared(g_.p.rules.pair);
  }
  // Whether another move may touch a point within the cutoff.
  HOST_DEVICE bool reaches(std::uint32_t other, GcmcPoint at) const {
    const GcmcFlight& o = flight(other);
    const auto kind = static_cast<GcmcKind>(o.kind);
    const bool displaces = gcmcStays(kind);
    if (o.settled) return interacts(o.from, at) || (displaces && interacts(o.to, at));
    const GcmcWords own = gcmcWordsOf(g_.p, o.cell[0]);
    return gcmcInReach(g_.p, own, at) ||
           (displaces && gcmcInReach(g_.p, gcmcDisplacedWords(g_.p, own, kind, o.to), at));
  }
  // Moves that touch the cell `own` of a point, or of two, or a point within the cutoff of one.
  template <class Reaches>
  HOST_DEVICE std::uint32_t around(std::uint32_t move, std::uint32_t own, const Near& near,
                                   const Reaches& reaches) const {
    std::uint32_t latest = 0;
    crew_.forCells(g_, near, [&](std::uint32_t cell, std::uint32_t known, std::uint32_t possible) {
      earlier(known, possible, move, [&](std::uint32_t other) {
        const std::uint32_t w = asWaited(other);
        if (w > latest && (cell == own || reaches(other))) latest = w;
      });
    });
    return crew_.latest(latest);
  }
  HOST_DEVICE std::uint32_t around(std::uint32_t move, std::uint32_t own, const Near& near,
                                   GcmcPoint at) const {
    return around(move, own, near, [&](std::uint32_t other) { return reaches(other, at); });
  }

  // What is around the points of a move, once it is ready.
  HOST_DEVICE void look(std::uint32_t move, const Move& m, Outcome& o) const {
    if (!gcmcStays(m.kind))
      lookAround(move, m, o);
    else if (m.target == m.own)
      lookAroundBoth(move, m, o);
    else
      lookAroundEach(move, m, o);
  }
  HOST_DEVICE void lookAround(std::uint32_t move, const Move& m, Outcome& o) const {
    const Near near = crew_.near(m.from);
    if (!g_.ignore) o.waits = around(move, m.own, near, m.from);
    if (o.waits != 0 || isFull(m, o)) return;
    const double energy = crew_.energy(near, m.from);
    const bool comes = m.kind == GcmcKind::insertion;
    decide(move, m, comes ? energy : -(energy - ownPair(m.from, m.from)), o);
  }
  // A displacement within its cell.
  HOST_DEVICE void lookAroundBoth(std::uint32_t move, const Move& m, Outcome& o) const {
    const Near near = crew_.near(m.from, m.to);
    if (!g_.ignore)
      o.waits = around(move, m.own, near, [&](std::uint32_t other) {
        return reaches(other, m.from) || reaches(other, m.to);
      });
    if (o.waits != 0) return;
    const double own = ownPair(m.to, m.from) - ownPair(m.from, m.from);
    decide(move, m, crew_.change(near, m.from, m.to) - own, o);
  }
  // One into another cell.
  HOST_DEVICE void lookAroundEach(std::uint32_t move, const Move& m, Outcome& o) const {
    if (!g_.ignore) {
      const std::uint32_t a = around(move, m.own, crew_.near(m.from), m.from);
      const std::uint32_t b = around(move, m.target, crew_.near(m.to), m.to);
      o.waits = a > b ? a : b;
    }
    if (o.waits != 0 || isFull(m, o)) return;
    const double there = crew_.energy(crew_.near(m.to), m.to) - ownPair(m.to, m.from);
    const double here = crew_.energy(crew_.near(m.from), m.from) - ownPair(m.from, m.from);
    decide(move, m, there - here, o);
  }
  // Whether there is no room in the cell into which a particle comes.
  HOST_DEVICE bool isFull(const Move& m, Outcome& o) const {
    o.full = m.kind != GcmcKind::deletion && g_.p.filled[m.target] >= g_.p.slots;
    return o.full;
  }
  HOST_DEVICE void decide(std::uint32_t move, const Move& m, double change, Outcome& o) const {
    o.change = change;
    o.accepted = gcmcSlotAccepts(g_.p, g_.head->factors, m.kind, g_.verdict[move].a, change);
    if constexpr (Notes::kOn)
      if (g_.head->move + move == notes_.traced) record(move, m, o);
  }
  HOST_DEVICE void record(std::uint32_t move, const Move& m, const Outcome& o) const {
    const GcmcFlight& f = flight(move);
    const ParticleId id = f.settled ? f.id : g_.p.idOf(m.own, f.slot);
    notes_.write(
        g_, crew_,
        {m.kind, m.own, m.target, m.from, m.to, id, g_.verdict[move].a, o.change, o.accepted});
  }
  // The particle itself is there: its own term is taken out, exactly.
  HOST_DEVICE double ownPair(GcmcPoint at, GcmcPoint self) const {
    return gcmcPairAt(g_.p.rules.pair, at, self);
  }

  const GcmcFlights& g_;
  const Crew& crew_;
  const Notes notes_;
  const std::uint32_t base_;  // index in the turn of the first move of the batch
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
