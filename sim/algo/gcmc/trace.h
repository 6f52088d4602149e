// Records of one move, for the microscope: written by a second instance of each kernel, from the
// values that it computes with.
#pragma once
#include <cstdint>

#include "sim/algo/gcmc/step.h"
#include "sim/algo/recorder/recorder.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// Stages of the records, in the order of a move. group: block (team). Numbers in parts: a double as
// the sum of two floats, exact for energies below 2^27.
//   choose   subject: id of the particle, or none; object: its slot. outcome: GcmcKind.
//            number: particles before the move; cells of the old and of the new position, -1: none.
//   visit    a cell that is read. subject: its number. outcome: GcmcVisitOutcome.
//            number: first thread, threads that share it, turn, particles, 0 around the old
//            position or 1 around the new one (2: the same cells around both).
//   pair     a particle that is read. subject: its id; object: its slot. outcome: bit 0: within the
//            cutoff of the new position, bit 1: of the old one. number: thread, cell (-1: none),
//            squared distance in units of the sigma of the pair and energy at the new position,
//            and at the old one; 0 where not looked at.
//   partial  sum of a block. number: sum in parts, threads.
//   decide   outcome: 1 accepted. number: change of the pair energy in parts, Boltzmann factor,
//            acceptance probability (may exceed 1), random number, change of the tail energy.
//   update   of an accepted move. subject: id; object: slot. number: particles after it, cells of
//            old and new position, the slot whose particle fills the hole (-1: none).
enum class GcmcRecord : std::uint16_t { choose, visit, pair, partial, decide, update };
enum class GcmcVisitOutcome : std::uint16_t { read, empty, skipped };
enum class GcmcSide : int { old, fresh, both };

// A thread that reads a cell.
struct GcmcReader {
  int block, thread;
  int turn;     // cells that it read before
  int threads;  // sharing the cell
  bool first;   // the first of them, which writes the visit
};

// The parts of records that do not depend on who writes them.
HOST_DEVICE Record begunRecord(GcmcRecord stage, std::uint32_t order = 0) {
  Record r;
  r.stage = static_cast<std::uint32_t>(stage);
  r.phase = static_cast<std::uint16_t>(stage);
  r.order = order;
  return r;
}
HOST_DEVICE void fillGcmcVisit(Record& r, std::uint32_t cell, std::uint32_t filled, GcmcReader who,
                               GcmcSide side, bool skipped) {
  r.subject = cell;
  r.outcome = static_cast<std::uint16_t>(skipped        ? GcmcVisitOutcome::skipped
                                         : filled == 0u ? GcmcVisitOutcome::empty
                                                        : GcmcVisitOutcome::read);
  const int numbers[] = {who.thread, who.threads, who.turn, static_cast<int>(filled),
                         static_cast<int>(side)};
  for (int k = 0; k < 5; ++k) r.number[k] = static_cast<float>(numbers[k]);
}
// q: the particle that is read. at: new and old position of the trial; wanted: whether each is
// looked at.
HOST_DEVICE void fillGcmcPair(Record& r, ParticleId id, std::uint32_t thread, std::uint32_t cell,
                              const GcmcPair& law, GcmcPoint q, const GcmcPoint at[2],
                              const bool wanted[2]) {
  r.subject = static_cast<std::uint64_t>(id);
  r.number[0] = static_cast<float>(thread);
  r.number[1] = static_cast<float>(cell);
  for (int k = 0; k < 2; ++k) {
    if (!wanted[k]) continue;
    r.number[2 + 2 * k] = gcmcReduced(law, at[k], q).r2;
    r.number[3 + 2 * k] = static_cast<float>(gcmcPairAt(law, at[k], q));
    if (r.number[2 + 2 * k] < law.cutoffSquared)
      r.outcome = static_cast<std::uint16_t>(r.outcome | (k == 0 ? 1 : 2));
  }
}
// Numbers 2 to 5 of a choice: the type in a mixture, and the trial position in sigma.
HOST_DEVICE void fillGcmcTarget(Record& r, const GcmcRules& rules, GcmcPoint to) {
  if (gcmcIsMixed(rules.pair)) r.number[2] = static_cast<float>(gcmcTypeOf(to));
  const std::uint32_t word[3] = {to.x, to.y, to.z};
  for (int k = 0; k < rules.dimension; ++k)
    r.number[3 + k] = static_cast<float>(word[k] * static_cast<double>(rules.pair.unit[k]));
}

// In the fast instances: nothing is written and nothing remains.
struct NoGcmcTrace {
  static constexpr bool kOn = false;
};

class GcmcTrace {
 public:
  static constexpr bool kOn = true;
  RecordWriter out;

  // id: idOf() the trial.
  HOST_DEVICE void choose(const GcmcArrays& a, const GcmcTrial& t, std::uint64_t id) const {
    if (t.idle) return;
    Record r = begun(GcmcRecord::choose, 0, 0);
    r.subject = id;
    r.object = t.slot == kGcmcNoSlot ? kNoObject : t.slot;
    r.outcome = static_cast<std::uint16_t>(t.draw.kind);
    r.number[0] = static_cast<float>(t.n);
    cells(a, t, r.number + 1);
    out.write(r);
  }
  HOST_DEVICE void visit(std::uint32_t cell, std::uint32_t filled, GcmcReader who, GcmcSide side,
                         bool skipped) const {
    if (!who.first) return;
    Record r =
        begun(GcmcRecord::visit, who.block,
              static_cast<std::uint32_t>(who.turn * 2 + (side == GcmcSide::fresh ? 1 : 0)) * 4096u +
                  static_cast<std::uint32_t>(who.thread));
    fillGcmcVisit(r, cell, filled, who, side, skipped);
    out.write(r);
  }
  // cell: ~0u: none. u: energies, r2: squared distances, at the new and at the old position.
  HOST_DEVICE void pair(GcmcReader who, std::uint32_t cell, std::uint32_t slot, ParticleId id,
                        GcmcSide side, const float r2[2], const double u[2],
                        float cutoffSquared) const {
    Record r = begun(GcmcRecord::pair, who.block, 2 * slot + (side == GcmcSide::fresh ? 1 : 0));
    r.subject = static_cast<std::uint64_t>(id);
    r.object = slot;
    const bool fresh = side != GcmcSide::old, old = side != GcmcSide::fresh;
    r.outcome = static_cast<std::uint16_t>((fresh && r2[0] < cutoffSquared ? 1 : 0) |
                                           (old && r2[1] < cutoffSquared ? 2 : 0));
    r.number[0] = static_cast<float>(who.thread);
    r.number[1] = cell == ~0u ? -1.0f : static_cast<float>(cell);
    for (int k = 0; k < 2; ++k) {
      r.number[2 + 2 * k] = r2[k];
      r.number[3 + 2 * k] = static_cast<float>(u[k]);
    }
    out.write(r);
  }
  HOST_DEVICE void partial(const GcmcTrial& t, int block, int threads, double sum) const {
    if (t.idle) return;
    Record r = begun(GcmcRecord::partial, block, 0);
    parts(sum, r.number);
    r.number[2] = static_cast<float>(threads);
    out.write(r);
  }
  HOST_DEVICE void decide(const GcmcArrays& a, const GcmcTrial& t, double dU, bool accepted) const {
    if (t.idle) return;
    Record r = begun(GcmcRecord::decide, 0, 0);
    parts(dU, r.number);
    r.outcome = accepted ? 1 : 0;
    if (t.old || t.fresh) {
      const GcmcDecision d = gcmcDecide(a.rules, t.draw, t.n, dU);
      r.number[2] = static_cast<float>(d.boltzmann);
      r.number[3] = static_cast<float>(d.probability);
    }
    r.number[4] = static_cast<float>(t.draw.a);
    r.number[5] = static_cast<float>(gcmcTailChange(a.rules, t.draw.kind, t.n));
    out.write(r);
  }
  // After it.
  HOST_DEVICE void update(const GcmcArrays& a, const GcmcTrial& t, std::uint64_t id) const {
    Record r = begun(GcmcRecord::update, 0, 0);
    r.subject = id;
    r.object = t.draw.kind == GcmcKind::insertion ? t.n : t.slot;
    r.number[0] = static_cast<float>(a.head->n);
    cells(a, t, r.number + 1);
    const bool hole = t.draw.kind == GcmcKind::deletion && t.slot != t.n - 1;
    r.number[3] = hole ? static_cast<float>(t.n - 1) : -1.0f;
    out.write(r);
  }
  // Of the particle that is tried; an insertion's is that which it will have.
  HOST_DEVICE static std::uint64_t idOf(const GcmcArrays& a, const GcmcTrial& t) {
    if (t.idle) return kNoObject;
    if (t.draw.kind == GcmcKind::insertion)
      return static_cast<std::uint64_t>(a.idBase) + a.head->move;
    return t.slot == kGcmcNoSlot ? kNoObject : static_cast<std::uint64_t>(a.id[t.slot]);
  }
  HOST_DEVICE static void parts(double value, float* two) {
    two[0] = static_cast<float>(value);
    two[1] = static_cast<float>(value - static_cast<double>(two[0]));
  }

 private:
  HOST_DEVICE static Record begun(GcmcRecord stage, int block, std::uint32_t order) {
    Record r;
    r.stage = static_cast<std::uint32_t>(stage);
    r.phase = static_cast<std::uint16_t>(stage);
    r.group = static_cast<std::uint32_t>(block);
    r.order = order;
    return r;
  }
  HOST_DEVICE static void cells(const GcmcArrays& a, const GcmcTrial& t, float* two) {
    const bool there = a.grid.capacity > 0;
    two[0] = there && t.old ? static_cast<float>(a.grid.cube.cellOf(t.from)) : -1.0f;
    two[1] = there && t.fresh ? static_cast<float>(a.grid.cube.cellOf(t.to)) : -1.0f;
  }
};

// gcmcChange() and gcmcChangeByCell(), written down where the instance records.
template <class Trace>
HOST_DEVICE double gcmcChange(const GcmcArrays& a, const GcmcTrial& t, std::uint32_t j, bool old,
                              bool fresh, GcmcReader who, std::uint32_t cell, const Trace& trace) {
  if constexpr (!Trace::kOn) {
    return gcmcChange(a, t, j, old, fresh);
  } else {
    if (j == t.slot) return 0;
    const GcmcPoint other = a.point[j];
    const GcmcPair& pair = a.rules.pair;
    float r2[2] = {0, 0};
    double u[2] = {0, 0};
    if (fresh) r2[0] = gcmcReduced(pair, t.to, other).r2, u[0] = gcmcPairAt(pair, t.to, other);
    if (old) r2[1] = gcmcReduced(pair, t.from, other).r2, u[1] = gcmcPairAt(pair, t.from, other);
    const GcmcSide side = old && fresh ? GcmcSide::both : old ? GcmcSide::old : GcmcSide::fresh;
    trace.pair(who, cell, j, a.id[j], side, r2, u, pair.cutoffSquared);
    return u[0] - u[1];
  }
}

template <class Trace>
HOST_DEVICE double gcmcChangeByCell(const GcmcArrays& a, const GcmcTrial& t, std::uint32_t cell,
                                    std::uint32_t first, std::uint32_t stride, bool old, bool fresh,
                                    GcmcReader who, const Trace& trace) {
  if constexpr (!Trace::kOn) {
    return gcmcChangeByCell(a, t, cell, first, stride, old, fresh);
  } else {
    const GcmcSide side = old && fresh ? GcmcSide::both : old ? GcmcSide::old : GcmcSide::fresh;
    const std::uint32_t filled = a.grid.filled[cell];
    trace.visit(cell, filled, who, side, false);
    double u = 0;
    for (std::uint32_t k = first; k < filled; k += stride)
      u += gcmcChange(a, t, a.grid.at(cell, k), old, fresh, who, cell, trace);
    return u;
  }
}

// gcmcFinish() by one thread.
template <class Trace>
HOST_DEVICE void gcmcFinish(const GcmcArrays& a, const GcmcTrial& t, double dU,
                            const Trace& trace) {
  if constexpr (!Trace::kOn) {
    gcmcFinish(a, t, dU);
  } else {
    if (t.idle) return;
    const std::uint64_t id = GcmcTrace::idOf(a, t);
    const bool accepted = gcmcFinish(a, t, dU);
    trace.decide(a, t, dU, accepted);
    if (accepted) trace.update(a, t, id);
  }
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
