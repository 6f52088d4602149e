// Vectorised energies of the chain. Compiled once per instruction set, in its own namespace; every
// operation is rounded on its own, as in gcmcTerms(), and sums in double are exact.
#include "sim/algo/gcmc/chain_simd.h"

#include <cstring>

#include "sim/exec/floats.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

// Adds lane k to p[k].
LANES_INLINE void addToDoubles(double* p, Floats f) {
  Double part[2];
  std::memcpy(part, p, sizeof part);
  part[0] += lowDoubles(Float(f.v));
  part[1] += highDoubles(Float(f.v));
  std::memcpy(p, part, sizeof part);
}

// Pairs are found first and their squared distances packed, so that no lane of the divisions is
// spent on particles beyond the cutoff.
// Form: of the pairs; void: hard spheres.
template <class Form, bool forceShifted, bool withVirial>
class Cells {
 public:
  explicit Cells(const GcmcPair& p)
      : pair_(p),
        unitX_(p.unit[0]),
        unitY_(p.unit[1]),
        unitZ_(p.unit[2]),
        cutoffSquared_(p.cutoffSquared) {}

  GcmcEnergyVirial sum(const GcmcCellWords& c, const std::uint32_t* cells, int count,
                       GcmcPoint at) {
    forVectors(c, cells, count, at,
               [&](Floats r2, int valid, std::size_t, std::size_t) { keep(r2, valid); });
    addKept();
    return {energy_.total(), withVirial ? virial_.total() : 0.0};
  }

  double spread(const GcmcCellWords& c, const GcmcCellEnergies& to, const std::uint32_t* cells,
                int count, GcmcPoint at, Floats sign) {
    forVectors(c, cells, count, at, [&](Floats r2, int valid, std::size_t cell, std::size_t part) {
      const Mask inside = both(less(Float(r2.v), Float(cutoffSquared_.v)), firstLanes(valid));
      if (!any(inside)) return;
      const Floats u = FloatLanes(select(inside, Float(termsOf(r2).energy.v), broadcast(0.0f)));
      energy_.add(u);
      addToDoubles(to.energy + cell * to.cellStride + part / 16 * to.blockStride + part % 16,
                   u * sign);
    });
    return energy_.total();
  }

 private:
  static constexpr int kMost = 256;  // pairs kept

  // f(squared distances, how many of them, cell, number of the first particle in it)
  template <class F>
  void forVectors(const GcmcCellWords& c, const std::uint32_t* cells, int count, GcmcPoint at,
                  const F& f) {
    const auto ax = static_cast<std::int32_t>(at.x), ay = static_cast<std::int32_t>(at.y),
               az = static_cast<std::int32_t>(at.z);
    const std::size_t axis = c.axisStride;
    for (int k = 0; k < count; ++k) {
      const std::size_t cell = cells[k];
      const auto* const first = reinterpret_cast<const std::int32_t*>(c.word) + cell * c.cellStride;
      const auto filled = static_cast<int>(c.filled[cell]);
      for (int j = 0; j < filled; j += kLanes) {
        const auto part = static_cast<std::size_t>(j);
        const std::int32_t* const x = first + part / 16 * c.blockStride + part % 16;
        const Floats dx = wrappedDifference(ax, loadInts(x), unitX_);
        const Floats dy = wrappedDifference(ay, loadInts(x + axis), unitY_);
        const Floats dz = wrappedDifference(az, loadInts(x + 2 * axis), unitZ_);
        f((dx * dx + dy * dy) + dz * dz, filled - j, cell, part);
      }
    }
  }

  // Of the first `valid` lanes those within the cutoff.
  void keep(Floats r2, int valid) {
    const Mask inside = both(less(Float(r2.v), Float(cutoffSquared_.v)), firstLanes(valid));
    kept_ += storeSelected(r2_ + kept_, Float(r2.v), inside);
    if (kept_ > kMost - kLanes) addKept();
  }
  void addKept() {
    store(r2_ + kept_, broadcast(1.0f));  // lanes beyond the last pair: any number that is one
    for (int k = 0; k < kept_; k += kLanes) add(FloatLanes(load(r2_ + k)), firstLanes(kept_ - k));
    kept_ = 0;
  }
  FormTerms<Floats> termsOf(Floats r2) const {
    if constexpr (std::is_void_v<Form>) {
      return hardTermsOf(r2);
    } else {
      const RoundedDistance<Floats> d = gcmcHeld(pair_, r2);
      return gcmcEnded(pair_, static_cast<const Form&>(pair_.forms)(d), d, forceShifted);
    }
  }
  FormTerms<Floats> hardTermsOf(Floats r2) const {
    const Float none = broadcast(0.0f), overlap = broadcast(kGcmcOverlap);
    const Mask overlaps = less(Float(r2.v), broadcast(1.0f));
    Floats w(0.0f);
    if constexpr (withVirial) {
      const Floats s = squareRoot(r2) - Floats(1.0f);
      w = Floats(pair_.contact[kContactTerms - 1]);
      for (int k = kContactTerms - 2; k >= 0; --k) w = w * s + Floats(pair_.contact[k]);
      w = FloatLanes(select(overlaps, none, Float(gcmcRounded(w).v)));
    }
    return {FloatLanes(select(overlaps, overlap, none)), w};
  }
  void add(Floats r2, Mask valid) {
    const FormTerms<Floats> p = termsOf(r2);
    const Float none = broadcast(0.0f);
    energy_.add(FloatLanes(select(valid, Float(p.energy.v), none)));
    if constexpr (withVirial) virial_.add(FloatLanes(select(valid, Float(p.virial.v), none)));
  }

  const GcmcPair pair_;
  Floats unitX_, unitY_, unitZ_, cutoffSquared_;
  DoubleSum energy_, virial_;
  int kept_ = 0;
  alignas(64) float r2_[kMost + kLanes];
};

// f(Cells) of the pair law.
template <bool withVirial, class F>
auto withCells(const GcmcPair& p, const F& f) {
  if (p.hard) return f(Cells<void, false, withVirial>(p));
  return p.forms.with(p.form, [&]<class Form>(const Form&) {
    if (p.forceAtCutoff != 0) return f(Cells<Form, true, withVirial>(p));
    return f(Cells<Form, false, withVirial>(p));
  });
}

template <bool withVirial>
GcmcEnergyVirial sumsOf(const GcmcPair& p, const GcmcCellWords& c, const std::uint32_t* cells,
                        int count, GcmcPoint at) {
  return withCells<withVirial>(p, [&](auto&& sums) { return sums.sum(c, cells, count, at); });
}

double energyOf(const GcmcPair& p, const GcmcCellWords& c, const std::uint32_t* cells, int count,
                GcmcPoint at) {
  return sumsOf<false>(p, c, cells, count, at).energy;
}

double spreadOf(const GcmcPair& p, const GcmcCellWords& c, const GcmcCellEnergies& to,
                const std::uint32_t* cells, int count, GcmcPoint at, float sign) {
  return withCells<false>(
      p, [&](auto&& sums) { return sums.spread(c, to, cells, count, at, Floats(sign)); });
}

}  // namespace

GcmcCellFunctions gcmcCellFunctions() { return {energyOf, sumsOf<true>, spreadOf}; }

}  // namespace cellscope::CELLSCOPE_SIMD
