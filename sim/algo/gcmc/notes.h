// What the recording instances of the kernels of the checkerboard and of moves in flight write, as
// records (trace.h).
#pragma once
#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/flight.h"
#include "sim/algo/gcmc/trace.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// A trial as it was computed.
struct GcmcBoardTrial {
  GcmcPoint from{}, to{};
  ParticleId id = -1;
  double change = 0, boltzmann = 0, probability = 0;
  bool nobody = true, leaves = false;  // leaves: would leave its cell, and is rejected
                                       // whatever its change, which is of what was gathered
};

// Events of the newest moves, and the first attempt of one cell in a turn. No other active cell
// changes what that attempt reads, so that it sees the state before the turn.
class GcmcBoardNotes {
 public:
  static constexpr bool kOn = true;
  GcmcEvent* event = nullptr;  // move m at event[m % room]; null: not wanted
  std::uint64_t room = 0;
  std::uint64_t from = 0;        // events of moves from this one on, at most `room` of them
  RecordWriter out;              // of the traced cell; off: not wanted
  std::uint64_t tracedTurn = 0;  // turn of the trace
  std::uint32_t tracedCell = 0;  // active cell, by index

  HOST_DEVICE bool traces(const GcmcBoard& b, std::size_t index) const {
    return out.on() && index == tracedCell && b.head->turn == tracedTurn;
  }
  // By one lane.
  HOST_DEVICE void note(std::uint64_t move, GcmcKind kind, const GcmcBoardTrial& t,
                        bool accepted) const {
    if (event == nullptr || move < from) return;
    event[move % room] = {move, kind, accepted, t.id, t.from, t.to, t.change};
  }
  // Before the decision; by all lanes of the crew, whose hood assigns the reads:
  //   forReads(span, v, p)   v(cell, reader) and p(cell, k, thread) for the cells around and the
  //                          particles that energy() and change() read
  HOST_DEVICE void begin(const GcmcBoard& b, const GcmcBoardSpan& span, const GcmcDraw& d,
                         const GcmcBoardTrial& t, auto& hood) const {
    if (hood.lane() == 0) out.write(gcmcChoiceOfMany(b.rules, d.kind, t.id, t.to));
    if (t.nobody) return;
    const GcmcSide side = gcmcSideOf(d.kind != GcmcKind::insertion, d.kind != GcmcKind::deletion);
    hood.forReads(
        span,
        [&](std::uint32_t cell, GcmcReader who) {
          out.write(gcmcVisitRecord(cell, cell, b.held.filled[cell], who, GcmcSide::both, false));
        },
        [&](std::uint32_t cell, std::uint32_t k, std::uint32_t thread) {
          const ParticleId id = b.held.idOf(cell, k);
          if (id != t.id)
            out.write(gcmcPairRecord(static_cast<std::uint32_t>(b.held.idAt(cell, k)), id, thread,
                                     cell, b.rules.pair, b.held.point(cell, k), {t.to, t.from},
                                     side));
        });
  }
  HOST_DEVICE void decide(const GcmcBoard& b, const GcmcDraw& d, const GcmcBoardTrial& t,
                          bool accepted) const {
    out.write(gcmcPartialRecord(0, 1, t.change));
    const double tail = gcmcStays(d.kind) ? 0.0 : b.head->y / b.rules.beta;
    Record r = gcmcDecideRecord(t.change, accepted, t.boltzmann, t.probability, d.a,
                                d.kind == GcmcKind::insertion ? -tail : tail);
    if (t.leaves) r.object = 1;
    out.write(r);
    const std::uint32_t cell = b.cube.cellOf(b.fromGrid(t.from));
    if (accepted) out.write(gcmcUpdateOfMany(d.kind, t.id, cell, cell));
  }
};

// A move when it is decided.
struct GcmcFlightDecided {
  GcmcKind kind;
  std::uint32_t own, target;  // cells of its points
  GcmcPoint from, to;
  ParticleId id;
  double a, change;  // random number, change of the pair energy
  bool accepted;
};

// One move of a turn, in the round in which it is decided. It is a move that no earlier one of its
// turn can have changed, so that it sees the state before the turn.
class GcmcFlightNotes {
 public:
  static constexpr bool kOn = true;
  RecordWriter out;
  std::uint64_t traced = 0;  // number of the move

  // By all lanes of a crew, with the cells around its points: of both at once where `to` is in the
  // cell of `from`.
  HOST_DEVICE void write(const GcmcFlights& g, const auto& crew, const GcmcFlightDecided& m) const {
    if (crew.lane() == 0) out.write(gcmcChoiceOfMany(g.p.rules, m.kind, m.id, m.to));
    const bool comes = m.kind == GcmcKind::insertion;
    if (!gcmcStays(m.kind)) {
      reads(g, crew, crew.near(m.from), m, comes ? GcmcSide::fresh : GcmcSide::old);
    } else if (m.own == m.target) {
      reads(g, crew, crew.near(m.from, m.to), m, GcmcSide::both);
    } else {
      reads(g, crew, crew.near(m.from), m, GcmcSide::old);
      reads(g, crew, crew.near(m.to), m, GcmcSide::fresh);
    }
    if (crew.lane() == 0) end(g, m, crew.lanes());
  }

 private:
  template <class Crew>
  HOST_DEVICE void reads(const GcmcFlights& g, const Crew& crew, const typename Crew::Near& near,
                         const GcmcFlightDecided& m, GcmcSide side) const {
    const std::uint32_t second = side == GcmcSide::fresh ? 1 : 0;
    crew.forReads(
        near, side == GcmcSide::fresh ? m.to : m.from,
        [&](std::uint32_t cell, GcmcReader who, bool skipped) {
          out.write(gcmcVisitRecord(2 * cell + second, cell, g.p.filled[cell], who, side, skipped));
        },
        [&](std::uint32_t cell, std::uint32_t k, GcmcReader who) {
          const std::size_t place = g.p.idAt(cell, k);
          if (g.p.id[place] != m.id)
            out.write(gcmcPairRecord(2 * static_cast<std::uint32_t>(place) + second, g.p.id[place],
                                     static_cast<std::uint32_t>(who.thread), cell, g.p.rules.pair,
                                     g.p.point(cell, k), {m.to, m.from}, side));
        });
  }
  HOST_DEVICE void end(const GcmcFlights& g, const GcmcFlightDecided& m, int lanes) const {
    out.write(gcmcPartialRecord(0, lanes, m.change));
    const GcmcRules& rules = g.p.rules;
    const GcmcSlotFactors& f = g.head->factors;
    const double boltzmann = exp(-rules.beta * m.change);
    const double factor = m.kind == GcmcKind::insertion  ? f.insertion
                          : m.kind == GcmcKind::deletion ? f.deletion
                                                         : 1.0;
    double tail = 0;
    if (rules.tail != 0 && !gcmcStays(m.kind)) {  // y of the turn
      const double y = log(f.insertion * g.p.slotsInAll() / rules.insertFactor);
      tail = (m.kind == GcmcKind::insertion ? -y : y) / rules.beta;
    }
    out.write(gcmcDecideRecord(m.change, m.accepted, boltzmann, factor * boltzmann, m.a, tail));
    if (m.accepted) out.write(gcmcUpdateOfMany(m.kind, m.id, m.own, m.target));
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
