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

struct NoGcmcFlightNotes {
  static constexpr bool kOn = false;
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

class GcmcFlightNotes {
 public:
  static constexpr bool kOn = true;
  RecordWriter out;
  std::uint64_t traced = 0;  // number of the move

  // By all lanes of a crew, with the cells around its points: of both at once where `to` is in the
  // cell of `from`. Numbers 3 to 5 of the choice: the trial position in sigma; slots are left to
  // the host, which knows ids.
  HOST_DEVICE void write(const GcmcFlights& g, const auto& crew, const GcmcFlightDecided& m) const {
    if (crew.lane() == 0) choose(g, m);
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
  HOST_DEVICE void choose(const GcmcFlights& g, const GcmcFlightDecided& m) const {
    Record r = begunRecord(GcmcRecord::choose);
    r.subject = static_cast<std::uint64_t>(m.id);
    r.outcome = static_cast<std::uint16_t>(m.kind);
    fillGcmcTarget(r, g.p.rules, m.to);
    out.write(r);
  }
  template <class Crew>
  HOST_DEVICE void reads(const GcmcFlights& g, const Crew& crew, const typename Crew::Near& near,
                         const GcmcFlightDecided& m, GcmcSide side) const {
    const std::uint32_t second = side == GcmcSide::fresh ? 1 : 0;
    crew.forReads(
        near, side == GcmcSide::fresh ? m.to : m.from,
        [&](std::uint32_t cell, GcmcReader who, bool skipped) {
          visit(g, cell, who, side, skipped);
        },
        [&](std::uint32_t cell, std::uint32_t k, GcmcReader who) {
          const auto place = static_cast<std::uint32_t>(g.p.idAt(cell, k));
          pair(g, m, cell, k, 2 * place + second, who, side);
        });
  }
  HOST_DEVICE void visit(const GcmcFlights& g, std::uint32_t cell, GcmcReader who, GcmcSide side,
                         bool skipped) const {
    Record r = begunRecord(GcmcRecord::visit, 2 * cell + (side == GcmcSide::fresh ? 1 : 0));
    fillGcmcVisit(r, cell, g.p.filled[cell], who, side, skipped);
    out.write(r);
  }
  HOST_DEVICE void pair(const GcmcFlights& g, const GcmcFlightDecided& m, std::uint32_t cell,
                        std::uint32_t k, std::uint32_t order, GcmcReader who, GcmcSide side) const {
    const ParticleId id = g.p.id[g.p.idAt(cell, k)];
    if (id == m.id) return;
    const GcmcPoint at[2] = {m.to, m.from};
    const bool wanted[2] = {side != GcmcSide::old, side != GcmcSide::fresh};
    Record r = begunRecord(GcmcRecord::pair, order);
    fillGcmcPair(r, id, static_cast<std::uint32_t>(who.thread), cell, g.p.rules.pair,
                 g.p.point(cell, k), at, wanted);
    out.write(r);
  }
  HOST_DEVICE void end(const GcmcFlights& g, const GcmcFlightDecided& m, int lanes) const {
    Record sum = begunRecord(GcmcRecord::partial);
    GcmcTrace::parts(m.change, sum.number);
    sum.number[2] = static_cast<float>(lanes);
    out.write(sum);
    const GcmcRules& rules = g.p.rules;
    const GcmcSlotFactors& f = g.head->factors;
    const double boltzmann = exp(-rules.beta * m.change);
    const double factor = m.kind == GcmcKind::insertion  ? f.insertion
                          : m.kind == GcmcKind::deletion ? f.deletion
                                                         : 1.0;
    Record r = begunRecord(GcmcRecord::decide);
    GcmcTrace::parts(m.change, r.number);
    r.outcome = m.accepted ? 1 : 0;
    r.number[2] = static_cast<float>(boltzmann);
    r.number[3] = static_cast<float>(factor * boltzmann);
    r.number[4] = static_cast<float>(m.a);
    if (rules.tail != 0 && !gcmcStays(m.kind)) {  // y of the turn
      const double y = log(f.insertion * g.p.slotsInAll() / rules.insertFactor);
      r.number[5] = static_cast<float>((m.kind == GcmcKind::insertion ? -y : y) / rules.beta);
    }
    out.write(r);
    if (!m.accepted) return;
    Record u = begunRecord(GcmcRecord::update);
    u.subject = static_cast<std::uint64_t>(m.id);
    u.number[1] = m.kind == GcmcKind::insertion ? -1.0f : static_cast<float>(m.own);
    u.number[2] = m.kind == GcmcKind::deletion ? -1.0f : static_cast<float>(m.target);
    u.number[3] = -1;
    out.write(u);
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
