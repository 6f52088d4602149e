// The attempts of one active cell of the checkerboard in one turn (board.h).
#pragma once
#include "sim/algo/gcmc/notes.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// The attempts of one cell in one turn. A hood holds what is around and in the cell:
//   count(), own(k), put(k, p), insert(p, id), erase(k) [the last fills the hole]
//   energy(p, self)         with all but entry `self` of the cell
//   change(from, to, self)  energy(to, self) - energy(from, self)
//   least(p)                energy(p, nobody) is not below it; -infinity in a mixture
//   lane()                  of its crew: lane 0 writes
template <class Hood, class Notes = NoGcmcTrace>
class GcmcBoardCell {
 public:
  HOST_DEVICE GcmcBoardCell(const GcmcBoard& b, const GcmcBoardPlace& place,
                            const GcmcBoardSpan& span, Hood& hood, const Notes& notes = {},
                            bool traces = false)
      : b_(b),
        hood_(hood),
        cell_(place.cell),
        onBoard_(b.cube.number(place.at[0], place.at[1], place.at[2])),
        span_(span),
        notes_(notes),
        traces_(traces) {
    double share = 1, volume = 1;
    for (int k = 0; k < 3; ++k) {
      if (k >= b.rules.dimension) continue;
      share *= span.width[k] * (1.0 / 4294967296.0);
      volume *= span.width[k] * static_cast<double>(b.rules.pair.unit[k]);
    }
    before_ = hood.count();
    if (b.experiment == GcmcBoardExperiment::rejectFull)
      full_ = static_cast<std::uint32_t>(kGcmcFullDensity * volume);
    const double fugacity = b.head->fugacity;
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
  // What an attempt tries now. Neither old nor fresh: it is rejected whatever its energies are, as
  // there is no particle, as it would leave the cell, or as the cell is taken for full.
  HOST_DEVICE GcmcTrial trial(const GcmcDraw& d, std::uint64_t move) const {
    GcmcTrial t{};
    t.draw = d, t.n = hood_.count(), t.slot = kGcmcNoSlot;
    if (d.kind == GcmcKind::insertion) {
      t.from = t.to = inserted(d);
      t.fresh = t.n < full_;
      return t;
    }
    if (t.n == 0) return t;
    const bool byOrder = b_.experiment == GcmcBoardExperiment::arrayOrder;
    t.slot = byOrder ? made_ % t.n : gcmcSlot(d, t.n);
    t.from = t.to = hood_.own(t.slot);
    if (gcmcStays(d.kind)) {
      t.to = gcmcDisplaced(b_.rules, d, t.from);
      if (b_.experiment == GcmcBoardExperiment::retry) t.to = inside(d, move, t.from, t.to);
      if (!within(t.to)) return t;
      t.fresh = true;
    }
    t.old = true;
    return t;
  }
  // Of a trial with this change of the energy.
  HOST_DEVICE bool accepts(const GcmcDraw& d, double change) const {
    const bool insertion = d.kind == GcmcKind::insertion;
    const double wanted = insertion ? d.a * (counted() + b_.rules.added) : d.a;
    const double factor = insertion                      ? insertFactor_
                          : d.kind == GcmcKind::deletion ? counted() * deleteFactor_
                                                         : 1.0;
    const double x = -b_.rules.beta * change;
#ifdef __CUDA_ARCH__
    // In single precision where that is certain: two roundings of exponents up to 88 are wrong by
    // 88 x 2^-24 each, everything else by less.
    const float nearly = static_cast<float>(factor) * __expf(static_cast<float>(x));
    const float difference = static_cast<float>(wanted) - nearly;
    if (fabsf(difference) > 4e-5f * nearly) return difference < 0;
#endif
    return wanted < factor * exp(x);
  }
  // Whether an insertion is rejected though its energy may be as low as this: beyond any rounding.
  HOST_DEVICE bool hopeless(const GcmcDraw& d, double least) const {
    return !accepts(d, least - temperature_);
  }
  HOST_DEVICE bool accepts(const GcmcTrial& t) const {
    if (!t.old && !t.fresh) return false;
    if (!t.old && hopeless(t.draw, hood_.least(t.to))) return false;
    return accepts(t.draw, change(t));
  }
  HOST_DEVICE void carryOut(const GcmcTrial& t, std::uint64_t move) {
    if (t.old && t.fresh)
      hood_.put(t.slot, t.to);
    else if (t.fresh)
      hood_.insert(t.to, b_.idBase + static_cast<ParticleId>(move));
    else
      hood_.erase(t.slot);
  }
  HOST_DEVICE void attempt(std::uint64_t move, const GcmcDraw& d, GcmcBoardTally& tally) {
    const GcmcTrial t = trial(d, move);
    if constexpr (Notes::kOn) begin(t, move);
    const bool accepted = accepts(t);
    if (accepted) carryOut(t, move);
    tally.attempted[static_cast<int>(d.kind)]++;
    tally.accepted[static_cast<int>(d.kind)] += accepted ? 1 : 0;
    if constexpr (Notes::kOn) end(d, move, accepted);
    ++made_;
  }

 private:
  // The n of the acceptance.
  HOST_DEVICE std::uint32_t counted() const {
    return b_.experiment == GcmcBoardExperiment::staleCount ? before_ : hood_.count();
  }
  HOST_DEVICE double change(const GcmcTrial& t) const {
    if (t.draw.kind == GcmcKind::insertion) return hood_.energy(t.to, kGcmcBoardNobody);
    if (t.draw.kind == GcmcKind::deletion) return -hood_.energy(t.from, t.slot);
    return hood_.change(t.from, t.to, t.slot);
  }
  // The trial of an attempt as it is recorded.
  HOST_DEVICE void begin(const GcmcTrial& of, std::uint64_t move) {
    const GcmcDraw& d = of.draw;
    const bool insertion = d.kind == GcmcKind::insertion;
    GcmcBoardTrial t;
    t.nobody = !insertion && of.n == 0;
    if (!t.nobody) {
      t.from = of.from, t.to = of.to;
      if (insertion)
        t.id = b_.idBase + static_cast<ParticleId>(move);
      else if (hood_.lane() == 0 || traces_)
        t.id = b_.held.idOf(cell_, of.slot);
      t.leaves = gcmcStays(d.kind) && !of.fresh;
      t.change = change(of);
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
