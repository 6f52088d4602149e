// What the recording instances of the checkerboard's kernels write: events of the newest moves, and
// the first attempt of one cell in a turn as records (trace.h). No other active cell changes what
// that attempt reads, so that it sees the state before the turn.
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/trace.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// A trial as it was computed.
struct GcmcBoardTrial {
  GcmcPoint from{}, to{};
  ParticleId id = -1;
  double change = 0, boltzmann = 0, probability = 0;
  bool nobody = true, leaves = false;  // leaves: would leave its cell, and is rejected
};

struct NoGcmcBoardNotes {
  static constexpr bool kOn = false;
};

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
  // The slots of particles are left to the host, which knows ids; numbers 2 to 5 of the choice: the
  // type in a mixture, and the trial position in sigma.
  HOST_DEVICE void begin(const GcmcBoard& b, const GcmcBoardSpan& span, const GcmcDraw& d,
                         const GcmcBoardTrial& t, auto& hood) const {
    if (hood.lane() == 0) choose(b, d, t);
    if (t.nobody) return;
    hood.forReads(
        span, [&](std::uint32_t cell, GcmcReader who) { visit(cell, b.held.filled[cell], who); },
        [&](std::uint32_t cell, std::uint32_t k, std::uint32_t thread) {
          const ParticleId id = b.held.id[b.idAt(cell, k)];
          if (id != t.id)
            pair(b, d.kind, t, cell, static_cast<std::uint32_t>(b.idAt(cell, k)), thread,
                 b.point(b.held, cell, k), id);
        });
  }
  HOST_DEVICE void decide(const GcmcBoard& b, const GcmcDraw& d, const GcmcBoardTrial& t,
                          bool accepted) const {
    Record sum = begunRecord(GcmcRecord::partial);
    GcmcTrace::parts(t.change, sum.number);
    sum.number[2] = 1;
    out.write(sum);
    Record r = begunRecord(GcmcRecord::decide);
    GcmcTrace::parts(t.change, r.number);
    r.outcome = accepted ? 1 : 0;
    r.number[2] = static_cast<float>(t.boltzmann);
    r.number[3] = static_cast<float>(t.probability);
    r.number[4] = static_cast<float>(d.a);
    const double tail = gcmcStays(d.kind) ? 0.0 : b.head->y / b.rules.beta;
    r.number[5] = static_cast<float>(d.kind == GcmcKind::insertion ? -tail : tail);
    if (t.leaves) r.object = 1;
    out.write(r);
    if (!accepted) return;
    Record u = begunRecord(GcmcRecord::update);
    u.subject = static_cast<std::uint64_t>(t.id);
    const float cell = static_cast<float>(b.cube.cellOf(b.fromGrid(t.from)));
    u.number[1] = d.kind == GcmcKind::insertion ? -1.0f : cell;
    u.number[2] = d.kind == GcmcKind::deletion ? -1.0f : cell;
    u.number[3] = -1;
    out.write(u);
  }

 private:
  HOST_DEVICE void choose(const GcmcBoard& b, const GcmcDraw& d, const GcmcBoardTrial& t) const {
    Record r = begunRecord(GcmcRecord::choose);
    if (!t.nobody) r.subject = static_cast<std::uint64_t>(t.id);
    r.outcome = static_cast<std::uint16_t>(d.kind);
    fillGcmcTarget(r, b.rules, t.to);
    out.write(r);
  }
  HOST_DEVICE void visit(std::uint32_t cell, std::uint32_t filled, GcmcReader who) const {
    Record r = begunRecord(GcmcRecord::visit, cell);
    fillGcmcVisit(r, cell, filled, who, GcmcSide::both, false);
    out.write(r);
  }
  HOST_DEVICE void pair(const GcmcBoard& b, GcmcKind kind, const GcmcBoardTrial& t,
                        std::uint32_t cell, std::uint32_t order, std::uint32_t thread, GcmcPoint q,
                        ParticleId id) const {
    Record r = begunRecord(GcmcRecord::pair, order);
    const GcmcPoint at[2] = {t.to, t.from};
    const bool wanted[2] = {kind != GcmcKind::deletion, kind != GcmcKind::insertion};
    fillGcmcPair(r, id, thread, cell, b.rules.pair, q, at, wanted);
    out.write(r);
  }
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
