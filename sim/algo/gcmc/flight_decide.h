// One undecided move in one round: whether it is ready, and if so, its decision. By a crew of lanes
// that call with the same arguments: one on the CPU, a warp on CUDA. A crew has
//   lane()               0 is the one that writes
//   latest(w)            largest w of all lanes
//   near(at)             the cells with a place within the cutoff of a point, shared among lanes
//   forCells(near, f)    f(cell) for those of this lane
//   energy(near, at)     sum of pair energies of a particle at the point with all that are there
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/flight.h"

namespace cellscope {

template <class Crew>
class GcmcDecide {
 public:
  HOST_DEVICE GcmcDecide(const GcmcFlights& g, const Crew& crew) : g_(g), crew_(crew) {}

  HOST_DEVICE void operator()(std::uint32_t move) const {
    const GcmcFlight f = g_.at(move);
    GcmcVerdict v = g_.verdict[move];
    if (v.waits != 0 && stillWaits(f, v.waits - 1)) return;
    v.change = 0;
    v.empty = v.full = v.accepted = 0;
    v.waits = 0;
    if (!f.settled)
      settle(f, move, v);
    else
      v.from = f.from, v.to = f.to, v.id = f.id, v.target = f.cell[1];
    if (v.waits == 0 && !v.empty) look(f, move, v);
    if (crew_.lane() == 0) g_.verdict[move] = v;
  }

 private:
  using Near = typename Crew::Near;
  // Whether the move of the turn that was in the way in the last round is so for certain.
  HOST_DEVICE bool stillWaits(const GcmcFlight& f, std::uint32_t inTurn) const {
    if (g_.flight[inTurn].round != 0) return false;
    if (!f.settled) return true;  // it touches the cell
    const std::uint32_t other = inTurn - static_cast<std::uint32_t>(g_.base());
    return reaches(other, f.from) ||
           (f.kind == static_cast<std::uint8_t>(GcmcKind::displacement) && reaches(other, f.to));
  }
  HOST_DEVICE bool before(std::uint32_t other, std::uint32_t move) const {
    return other < move && g_.at(other).round == 0;
  }
  // f(other) for the undecided earlier moves in the lists of a cell.
  template <class F>
  HOST_DEVICE void earlier(std::uint32_t cell, std::uint32_t move, const F& f) const {
    for (std::uint32_t e = gcmcFirstOf(g_, cell, kKnown); e != kNoEntry; e = g_.nextKnown[e])
      if (before(e, move)) f(e);
    for (std::uint32_t e = gcmcFirstOf(g_, cell, kPossible); e != kNoEntry; e = g_.nextPossible[e])
      if (before(e / kBoxCells, move)) f(e / kBoxCells);
  }
  HOST_DEVICE std::uint32_t asWaited(std::uint32_t other) const {
    return static_cast<std::uint32_t>(g_.base()) + other + 1;
  }

  // What the slot holds is known when nothing earlier touches the cell.
  HOST_DEVICE void settle(const GcmcFlight& f, std::uint32_t move, GcmcVerdict& v) const {
    std::uint32_t latest = 0;
    earlier(f.cell[0], move, [&](std::uint32_t other) {
      const std::uint32_t w = asWaited(other);
      latest = w > latest ? w : latest;
    });
    v.waits = latest;
    if (latest != 0) return;
    if (f.slot >= g_.p.filled[f.cell[0]]) {
      v.empty = 1;
      return;
    }
    v.settles = 1;
    v.from = v.to = g_.p.point(f.cell[0], f.slot);
    v.id = g_.p.id[g_.p.idAt(f.cell[0], f.slot)];
    v.target = f.cell[0];
    if (f.kind != static_cast<std::uint8_t>(GcmcKind::displacement)) return;
    v.to = gcmcPlaceDisplaced(g_.p, f.to, v.from);
    v.target = g_.p.cube.cellOf(v.to);
  }

  HOST_DEVICE bool interacts(GcmcPoint a, GcmcPoint b) const {
    return gcmcDistance2(g_.p.rules.pair, a, b) < g_.p.rules.pair.cutoffSquared;
  }
  // Whether another move may touch a point within the cutoff.
  HOST_DEVICE bool reaches(std::uint32_t other, GcmcPoint at) const {
    const GcmcFlight& o = g_.at(other);
    const bool displaces = o.kind == static_cast<std::uint8_t>(GcmcKind::displacement);
    if (o.settled) return interacts(o.from, at) || (displaces && interacts(o.to, at));
    const GcmcWords own = gcmcWordsOf(g_.p, o.cell[0]);
    return gcmcInReach(g_.p, own, at) ||
           (displaces && gcmcInReach(g_.p, gcmcDisplacedWords(g_.p, own, o.to), at));
  }
  // Moves that touch the cell `own` of a point or a point within the cutoff of it.
  HOST_DEVICE std::uint32_t around(std::uint32_t move, std::uint32_t own, const Near& near,
                                   GcmcPoint at) const {
    std::uint32_t latest = 0;
    crew_.forCells(near, [&](std::uint32_t cell) {
      earlier(cell, move, [&](std::uint32_t other) {
        const std::uint32_t w = asWaited(other);
        if (w > latest && (cell == own || reaches(other, at))) latest = w;
      });
    });
    return crew_.latest(latest);
  }
  HOST_DEVICE std::uint32_t inTheWay(const GcmcFlight& f, std::uint32_t move, const GcmcVerdict& v,
                                     const Near& from, const Near& to) const {
    const std::uint32_t a = around(move, f.cell[0], from, v.from);
    if (f.kind != static_cast<std::uint8_t>(GcmcKind::displacement)) return a;
    const std::uint32_t b = around(move, v.target, to, v.to);
    return a > b ? a : b;
  }

  // What is around the two points of a move, once it is ready.
  HOST_DEVICE void look(const GcmcFlight& f, std::uint32_t move, GcmcVerdict& v) const {
    const Near from = crew_.near(v.from);
    const bool two = f.kind == static_cast<std::uint8_t>(GcmcKind::displacement);
    const Near to = two ? crew_.near(v.to) : from;
    if (!g_.ignore) v.waits = inTheWay(f, move, v, from, to);
    if (v.waits == 0) decide(f, v, from, to);
  }
  HOST_DEVICE void decide(const GcmcFlight& f, GcmcVerdict& v, const Near& from,
                          const Near& to) const {
    const auto kind = static_cast<GcmcKind>(f.kind);
    const bool comes = kind == GcmcKind::insertion || v.target != f.cell[0];
    if (comes && g_.p.filled[v.target] >= g_.p.slots) {
      v.full = 1;
      return;
    }
    if (kind != GcmcKind::deletion)
      v.change += kind == GcmcKind::insertion ? crew_.energy(to, v.to) : without(to, v.to, v.from);
    if (kind != GcmcKind::insertion) v.change -= without(from, v.from, v.from);
    v.accepted = gcmcPlaceAccepts(g_.p, g_.head->factors, kind, v.a, v.change) ? 1 : 0;
  }
  // The particle itself is there: its own term is taken out, exactly.
  HOST_DEVICE double without(const Near& near, GcmcPoint at, GcmcPoint self) const {
    return crew_.energy(near, at) - gcmcPairAt(g_.p.rules.pair, at, self);
  }

  const GcmcFlights& g_;
  const Crew& crew_;
};

}  // namespace cellscope
