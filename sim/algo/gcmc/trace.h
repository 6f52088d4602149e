// Records of one move, for the microscope: written by a second instance of each kernel, from the
// values that it computes with.
#pragma once
#include "sim/algo/gcmc/step.h"

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
HOST_DEVICE Record begunRecord(GcmcRecord stage, std::uint32_t order = 0, int block = 0) {
  return {.stage = static_cast<std::uint32_t>(stage),
          .group = static_cast<std::uint32_t>(block),
          .order = order,
          .phase = static_cast<std::uint16_t>(stage)};
}
HOST_DEVICE void gcmcInParts(double value, float* two) {
  two[0] = static_cast<float>(value);
  two[1] = static_cast<float>(value - static_cast<double>(two[0]));
}
HOST_DEVICE Record gcmcVisitRecord(std::uint32_t order, std::uint32_t cell, std::uint32_t filled,
                                   GcmcReader who, GcmcSide side, bool skipped) {
  Record r = begunRecord(GcmcRecord::visit, order, who.block);
  r.subject = cell;
  r.outcome = static_cast<std::uint16_t>(skipped        ? GcmcVisitOutcome::skipped
                                         : filled == 0u ? GcmcVisitOutcome::empty
                                                        : GcmcVisitOutcome::read);
  const int numbers[] = {who.thread, who.threads, who.turn, static_cast<int>(filled),
                         static_cast<int>(side)};
  for (int k = 0; k < 5; ++k) r.number[k] = static_cast<float>(numbers[k]);
  return r;
}
// cell: ~0u: none. q: the particle that is read. at: new and old position of the trial, of which
// those of `side` are looked at.
HOST_DEVICE Record gcmcPairRecord(std::uint32_t order, ParticleId id, std::uint32_t thread,
                                  std::uint32_t cell, const GcmcPair& law, GcmcPoint q,
                                  const GcmcPoint (&at)[2], GcmcSide side) {
  Record r = begunRecord(GcmcRecord::pair, order);
  r.subject = static_cast<std::uint64_t>(id);
  r.number[0] = static_cast<float>(thread);
  r.number[1] = cell == ~0u ? -1.0f : static_cast<float>(cell);
  for (int k = 0; k < 2; ++k) {
    if (side == (k == 0 ? GcmcSide::old : GcmcSide::fresh)) continue;
    r.number[2 + 2 * k] = gcmcReduced(law, at[k], q).r2;
    r.number[3 + 2 * k] = static_cast<float>(gcmcPairAt(law, at[k], q));
    if (r.number[2 + 2 * k] < law.cutoffSquared)
      r.outcome = static_cast<std::uint16_t>(r.outcome | (k == 0 ? 1 : 2));
  }
  return r;
}
HOST_DEVICE Record gcmcPartialRecord(int block, int threads, double sum) {
  Record r = begunRecord(GcmcRecord::partial, 0, block);
  gcmcInParts(sum, r.number);
  r.number[2] = static_cast<float>(threads);
  return r;
}
// boltzmann, probability: 0 where nobody is tried. a: the random number; tail: change of its
// energy.
HOST_DEVICE Record gcmcDecideRecord(double change, bool accepted, double boltzmann,
                                    double probability, double a, double tail) {
  Record r = begunRecord(GcmcRecord::decide);
  gcmcInParts(change, r.number);
  r.outcome = accepted ? 1 : 0;
  r.number[2] = static_cast<float>(boltzmann);
  r.number[3] = static_cast<float>(probability);
  r.number[4] = static_cast<float>(a);
  r.number[5] = static_cast<float>(tail);
  return r;
}

// Of one of many moves that are made together. Slots and numbers of particles are left to the host,
// which knows ids.
//
// Numbers 2 to 5 of its choice: the type in a mixture, and the trial position in sigma. id: -1:
// nobody.
HOST_DEVICE Record gcmcChoiceOfMany(const GcmcRules& rules, GcmcKind kind, ParticleId id,
                                    GcmcPoint to) {
  Record r = begunRecord(GcmcRecord::choose);
  r.subject = static_cast<std::uint64_t>(id);
  r.outcome = static_cast<std::uint16_t>(kind);
  if (gcmcIsMixed(rules.pair)) r.number[2] = static_cast<float>(gcmcTypeOf(to));
  const std::uint32_t word[3] = {to.x, to.y, to.z};
  for (int k = 0; k < rules.dimension; ++k)
    r.number[3 + k] = static_cast<float>(word[k] * static_cast<double>(rules.pair.unit[k]));
  return r;
}
// was, is: cells of the old and of the new position.
HOST_DEVICE Record gcmcUpdateOfMany(GcmcKind kind, ParticleId id, std::uint32_t was,
                                    std::uint32_t is) {
  Record r = begunRecord(GcmcRecord::update);
  r.subject = static_cast<std::uint64_t>(id);
  r.number[1] = kind == GcmcKind::insertion ? -1.0f : static_cast<float>(was);
  r.number[2] = kind == GcmcKind::deletion ? -1.0f : static_cast<float>(is);
  r.number[3] = -1;
  return r;
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
    Record r = begunRecord(GcmcRecord::choose);
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
    const auto order = static_cast<std::uint32_t>(who.turn * 2 + (side == GcmcSide::fresh ? 1 : 0));
    out.write(gcmcVisitRecord(order * 4096u + static_cast<std::uint32_t>(who.thread), cell, filled,
                              who, side, skipped));
  }
  // As gcmcPairRecord().
  HOST_DEVICE void pair(GcmcReader who, std::uint32_t cell, std::uint32_t slot, ParticleId id,
                        const GcmcPair& law, GcmcPoint q, const GcmcPoint (&at)[2],
                        GcmcSide side) const {
    Record r = gcmcPairRecord(2 * slot + (side == GcmcSide::fresh ? 1 : 0), id,
                              static_cast<std::uint32_t>(who.thread), cell, law, q, at, side);
    r.group = static_cast<std::uint32_t>(who.block);
    r.object = slot;
    out.write(r);
  }
  HOST_DEVICE void partial(const GcmcTrial& t, int block, int threads, double sum) const {
    if (!t.idle) out.write(gcmcPartialRecord(block, threads, sum));
  }
  HOST_DEVICE void decide(const GcmcArrays& a, const GcmcTrial& t, double dU, bool accepted) const {
    if (t.idle) return;
    GcmcDecision d{};
    if (t.old || t.fresh) d = gcmcDecide(a.rules, t.draw, t.n, dU);
    out.write(gcmcDecideRecord(dU, accepted, d.boltzmann, d.probability, t.draw.a,
                               gcmcTailChange(a.rules, t.draw.kind, t.n)));
  }
  // After it.
  HOST_DEVICE void update(const GcmcArrays& a, const GcmcTrial& t, std::uint64_t id) const {
    Record r = begunRecord(GcmcRecord::update);
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

 private:
  HOST_DEVICE static void cells(const GcmcArrays& a, const GcmcTrial& t, float* two) {
    const bool there = a.grid.capacity > 0;
    two[0] = there && t.old ? static_cast<float>(a.grid.cube.cellOf(t.from)) : -1.0f;
    two[1] = there && t.fresh ? static_cast<float>(a.grid.cube.cellOf(t.to)) : -1.0f;
  }
};

HOST_DEVICE GcmcSide gcmcSideOf(bool old, bool fresh) {
  return old && fresh ? GcmcSide::both : old ? GcmcSide::old : GcmcSide::fresh;
}

// gcmcChange(), written down where the instance records.
template <class Trace>
HOST_DEVICE double gcmcChange(const GcmcArrays& a, const GcmcTrial& t, std::uint32_t j, bool old,
                              bool fresh, GcmcReader who, std::uint32_t cell, const Trace& trace) {
  if constexpr (Trace::kOn)
    if (j != t.slot)
      trace.pair(who, cell, j, a.id[j], a.rules.pair, a.point[j], {t.to, t.from},
                 gcmcSideOf(old, fresh));
  return gcmcChange(a, t, j, old, fresh);
}

// The same by the entries first, first + stride, ... of a cell.
template <class Trace>
HOST_DEVICE double gcmcChangeByCell(const GcmcArrays& a, const GcmcTrial& t, std::uint32_t cell,
                                    std::uint32_t first, std::uint32_t stride, bool old, bool fresh,
                                    GcmcReader who, const Trace& trace) {
  double u = 0;
  const std::uint32_t filled = a.grid.filled[cell];
  if constexpr (Trace::kOn) trace.visit(cell, filled, who, gcmcSideOf(old, fresh), false);
  for (std::uint32_t k = first; k < filled; k += stride)
    u += gcmcChange(a, t, a.grid.at(cell, k), old, fresh, who, cell, trace);
  return u;
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
