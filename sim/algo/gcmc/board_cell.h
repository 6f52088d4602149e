// The attempts of one active cell of the checkerboard in one turn (board.h).
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/board_notes.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// The attempts of one cell in one turn. A hood holds what is around and in the cell:
//   count(), own(k), put(k, p), insert(p, id), erase(k) [the last fills the hole]
//   energy(p, self)         with all but entry `self` of the cell
//   change(from, to, self)  energy(to, self) - energy(from, self)
//   tooHigh(p, limit)       true only where energy(p, nobody) > limit for certain
//   lane()                  of its crew: lane 0 writes
template <class Hood, class Notes = NoGcmcTrace>
class GcmcBoardCell {
 public:
  HOST_DEVICE GcmcBoardCell(const GcmcBoard& b, const GcmcBoardPlace& place,
                            const GcmcBoardSpan& span, Hood& hood, GcmcBoardTally& tally,
                            const Notes& notes = {}, bool traces = false)
      : b_(b),
        hood_(hood),
        tally_(tally),
        cell_(place.cell),
        onBoard_(b.cube.number(place.at[0], place.at[1], place.at[2])),
        span_(span),
        notes_(notes),
        traces_(traces) {
    double share = 1, volume = 1;
    for (int k = 0; k < b.rules.dimension; ++k) {
      share *= span.width[k] * (1.0 / 4294967296.0);
      volume *= span.width[k] * static_cast<double>(b.rules.pair.unit[k]);
    }
    before_ = hood.count();
    if (b.experiment == GcmcBoardExperiment::rejectFull)
      full_ = static_cast<std::uint32_t>(kGcmcFullDensity * volume);
    const double fugacity = exp(b.head->y);
    insertFactor_ = b.rules.insertFactor * share * fugacity;
    deleteFactor_ = b.rules.deleteFactor / (share * fugacity);
    temperature_ = 1.0 / b.rules.beta;
  }

  // How many in this turn.
  HOST_DEVICE int attempts() const {
    const int wanted = static_cast<int>(hood_.count()) + 1;
    if (b_.experiment == GcmcBoardExperiment::attemptsByCount && wanted < b_.attempts)
      return wanted;
    if (b_.experiment == GcmcBoardExperiment::skipEmpty && hood_.count() == 0) return 0;
    return b_.attempts;
  }
  HOST_DEVICE void attempt(std::uint64_t move, const GcmcDraw& d) {
    const int kind = static_cast<int>(d.kind);
    tally_.attempted[kind]++;
    if constexpr (Notes::kOn) begin(d, move);
    bool accepted = false;
    if (d.kind == GcmcKind::insertion)
      accepted = insertion(d, move);
    else if (hood_.count() > 0)
      accepted = d.kind == GcmcKind::deletion ? deletion(d) : displacement(d, move);
    tally_.accepted[kind] += accepted ? 1 : 0;
    if constexpr (Notes::kOn) end(d, move, accepted);
    ++made_;
  }

 private:
  // Which of the n an attempt takes, and the n of its acceptance.
  HOST_DEVICE std::uint32_t chosen(const GcmcDraw& d, std::uint32_t n) const {
    return b_.experiment == GcmcBoardExperiment::arrayOrder ? made_ % n : gcmcSlot(d, n);
  }
  HOST_DEVICE std::uint32_t counted() const {
    return b_.experiment == GcmcBoardExperiment::staleCount ? before_ : hood_.count();
  }
  // The trial of an attempt, worked out beside it.
  HOST_DEVICE void begin(const GcmcDraw& d, std::uint64_t move) {
    GcmcBoardTrial t;
    const std::uint32_t n = hood_.count(), k = n > 0 ? chosen(d, n) : 0;
    const bool insertion = d.kind == GcmcKind::insertion;
    t.nobody = !insertion && n == 0;
    if (insertion) {
      t.from = t.to = inserted(d);
      t.id = b_.idBase + static_cast<ParticleId>(move);
      t.change = hood_.energy(t.to, kGcmcBoardNobody);
    } else if (!t.nobody) {
      t.from = t.to = hood_.own(k);
      t.id = hood_.lane() == 0 || traces_ ? b_.held.idOf(cell_, k) : -1;
      if (d.kind == GcmcKind::deletion) {
        t.change = -hood_.energy(t.from, k);
      } else {
        t.to = gcmcDisplaced(b_.rules, d, t.from);
        if (b_.experiment == GcmcBoardExperiment::retry) t.to = inside(d, move, t.from, t.to);
        t.leaves = !within(t.to);
        t.change = hood_.change(t.from, t.to, k);
      }
    }
    t.boltzmann = exp(-b_.rules.beta * t.change);
    t.probability = t.boltzmann * (insertion ? insertFactor_ / (counted() + b_.rules.added)
                                   : d.kind == GcmcKind::deletion ? counted() * deleteFactor_
                                                                  : 1.0);
    trial_ = t;
    if (traces_) notes_.begin(b_, span_, d, t, hood_);
  }
  HOST_DEVICE void end(const GcmcDraw& d, std::uint64_t move, bool accepted) {
    if (hood_.lane() == 0) {
      notes_.note(move, d.kind, trial_, accepted);
      if (traces_) notes_.decide(b_, d, trial_, accepted);
    }
    traces_ = false;  // the first attempt only
  }
  HOST_DEVICE GcmcPoint inserted(const GcmcDraw& d) const {
    const std::uint32_t* const shift = b_.head->shift;
    const GcmcPoint p{shift[0] + span_.first[0] + scaleWord(d.point.x, span_.width[0]),
                      shift[1] + span_.first[1] + scaleWord(d.point.y, span_.width[1]),
                      b_.rules.dimension == 3
                          ? shift[2] + span_.first[2] + scaleWord(d.point.z, span_.width[2])
                          : 0u};
    return b_.typeBit != 0 ? gcmcWithType(p, gcmcTypeOf(d.point)) : p;
  }
  HOST_DEVICE bool insertion(const GcmcDraw& d, std::uint64_t move) {
    if (hood_.count() >= full_) return false;
    const GcmcPoint p = inserted(d);
    const double left = d.a * (counted() + b_.rules.added);
    // Accepted below T ln(factor / left); one more is far beyond any rounding.
    const float odds = static_cast<float>(insertFactor_ / (left > 1e-30 ? left : 1e-30));
    const float limit = static_cast<float>(temperature_) * (logf(odds) + 1.0f);
    if (odds > 1e-30f && odds < 1e30f && hood_.tooHigh(p, limit)) return false;
    if (!(left < insertFactor_ * exp(-b_.rules.beta * hood_.energy(p, kGcmcBoardNobody))))
      return false;
    hood_.insert(p, b_.idBase + static_cast<ParticleId>(move));
    tally_.come++;
    return true;
  }
  HOST_DEVICE bool deletion(const GcmcDraw& d) {
    const std::uint32_t n = hood_.count(), k = chosen(d, n);
    const double boltzmann = exp(b_.rules.beta * hood_.energy(hood_.own(k), k));
    if (!(d.a < counted() * deleteFactor_ * boltzmann)) return false;
    hood_.erase(k);
    tally_.come--;
    return true;
  }
  HOST_DEVICE bool displacement(const GcmcDraw& d, std::uint64_t move) {
    const std::uint32_t k = chosen(d, hood_.count());
    const GcmcPoint from = hood_.own(k);
    GcmcPoint to = gcmcDisplaced(b_.rules, d, from);
    if (b_.experiment == GcmcBoardExperiment::retry) to = inside(d, move, from, to);
    if (!within(to)) return false;
    if (!(d.a < exp(-b_.rules.beta * hood_.change(from, to, k)))) return false;
    hood_.put(k, to);
    return true;
  }
  HOST_DEVICE bool within(GcmcPoint p) const { return b_.cube.cellOf(b_.fromGrid(p)) == onBoard_; }
  HOST_DEVICE GcmcPoint inside(GcmcDraw d, std::uint64_t move, GcmcPoint from, GcmcPoint to) const {
    for (std::uint32_t again = 0; again < 1000 && !within(to); ++again) {
      const Random4 r = draw(b_.rules.key, RngPurpose::gcmcMove, move, b_.rules.chain,
                             kBoardRetryBlock + (again << 8));
      d.point = {r.w[0], r.w[1], r.w[2]};
      to = gcmcDisplaced(b_.rules, d, from);
    }
    return to;
  }

  const GcmcBoard& b_;
  Hood& hood_;
  GcmcBoardTally& tally_;
  const std::uint32_t cell_, onBoard_;  // in memory, and its number
  const GcmcBoardSpan span_;
  double insertFactor_, deleteFactor_, temperature_;
  std::uint32_t before_ = 0, made_ = 0;  // particles before the turn, attempts of it so far
  std::uint32_t full_ = ~0u;             // insertions are rejected from this number on
  // Of recording instances.
  const Notes notes_;
  bool traces_;
  GcmcBoardTrial trial_;
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
