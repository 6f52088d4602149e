// What the recording instances of moves in flight write: one move of a turn, as records (trace.h),
// in the round in which it is decided. It is a move that no earlier one of its turn can have
// changed, so that it sees the state before the turn.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/algo/gcmc/flight.h"
#include "sim/algo/gcmc/trace.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// A move when it is decided.
struct GcmcFlightDecided {
  GcmcKind kind;
  std::uint32_t own, target;  // cells of its points
  GcmcPoint from, to;
  ParticleId id;
  double a, change;  // random number, change of the pair energy
  bool accepted;
};

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
