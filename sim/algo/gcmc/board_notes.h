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
                                       // whatever its change, which is of what was gathered
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

}  // namespace GCMC_TYPES
}  // namespace cellscope
