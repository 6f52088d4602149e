// Vectorised energies of the chain. Compiled once per instruction set, in its own namespace; every
// operation is rounded on its own, as in gcmcTerms(), and sums in double are exact.
#include "sim/algo/gcmc/chain_simd.h"

#include <cstring>

#include "sim/exec/lanes.h"

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
// Form: of the pairs; void: hard spheres. mixed: of two types; distances are reduced then.
template <class Form, bool forceShifted, bool withVirial, bool mixed>
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
               [&](Distance d, int valid, std::size_t, std::size_t) { keep(d, valid); });
    addKept();
    return {energy_.total(), withVirial ? virial_.total() : 0.0};
  }

  double spread(const GcmcCellWords& c, const GcmcCellEnergies& to, const std::uint32_t* cells,
                int count, GcmcPoint at, Floats sign) {
    forVectors(c, cells, count, at, [&](Distance d, int valid, std::size_t cell, std::size_t part) {
      const Mask inside = both(less(Float(d.r2.v), Float(cutoffSquared_.v)), firstLanes(valid));
      if (!any(inside)) return;
      const Floats u = FloatLanes(select(inside, Float(termsOf(d).energy.v), broadcast(0.0f)));
      energy_.add(u);
      addToDoubles(to.energy + cell * to.cellStride + part / 16 * to.blockStride + part % 16,
                   u * sign);
    });
    return energy_.total();
  }

 private:
  static constexpr int kMost = 256;  // pairs kept

  struct Distance {
    Floats r2, epsilon;
  };
  // f(squared distances, how many of them, cell, number of the first particle in it)
  void forVectors(const GcmcCellWords& c, const std::uint32_t* cells, int count, GcmcPoint at,
                  const auto& f) {
    const auto ax = static_cast<std::int32_t>(at.x), ay = static_cast<std::int32_t>(at.y),
               az = static_cast<std::int32_t>(at.z);
    const std::size_t axis = c.axisStride;
    const std::uint32_t type = mixed ? gcmcTypeOf(at) : 0;
    const GcmcUnits withA = gcmcUnits(pair_, type, 0), withB = gcmcUnits(pair_, type, 1);
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
        Distance d{(dx * dx + dy * dy) + dz * dz, Floats(1.0f)};
        if constexpr (mixed) {
          const auto ofB = (loadInts(x) & 1) != 0;
          d.r2 = d.r2 * Floats(ofB ? Floats(withB.inverseSigma2).v : Floats(withA.inverseSigma2).v);
          d.epsilon = Floats(ofB ? Floats(withB.epsilon).v : Floats(withA.epsilon).v);
        }
        f(d, filled - j, cell, part);
      }
    }
  }

  // Of the first `valid` lanes those within the cutoff.
  void keep(Distance d, int valid) {
    const Mask inside = both(less(Float(d.r2.v), Float(cutoffSquared_.v)), firstLanes(valid));
    if constexpr (mixed) storeSelected(epsilon_ + kept_, Float(d.epsilon.v), inside);
    kept_ += storeSelected(r2_ + kept_, Float(d.r2.v), inside);
    if (kept_ > kMost - kLanes) addKept();
  }
  void addKept() {
    store(r2_ + kept_, broadcast(1.0f));  // lanes beyond the last pair: any number that is one
    if constexpr (mixed) store(epsilon_ + kept_, broadcast(1.0f));
    for (int k = 0; k < kept_; k += kLanes) {
      Distance d{FloatLanes(load(r2_ + k)), Floats(1.0f)};
      if constexpr (mixed) d.epsilon = FloatLanes(load(epsilon_ + k));
      add(d, firstLanes(kept_ - k));
    }
    kept_ = 0;
  }
  FormTerms<Floats> termsOf(Distance of) const {
    if constexpr (std::is_void_v<Form>) {
      return hardTermsOf(of.r2);
    } else {
      const RoundedDistance<Floats> d = gcmcHeld(pair_, of.r2);
      return gcmcEnded(pair_, static_cast<const Form&>(pair_.forms)(d), d, forceShifted,
                       of.epsilon);
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
  void add(Distance d, Mask valid) {
    const FormTerms<Floats> p = termsOf(d);
    const Float none = broadcast(0.0f);
    energy_.add(FloatLanes(select(valid, Float(p.energy.v), none)));
    if constexpr (withVirial) virial_.add(FloatLanes(select(valid, Float(p.virial.v), none)));
  }

  const GcmcPair pair_;
  Floats unitX_, unitY_, unitZ_, cutoffSquared_;
  DoubleSum energy_, virial_;
  int kept_ = 0;
  alignas(64) float r2_[kMost + kLanes];
  alignas(64) float epsilon_[mixed ? kMost + kLanes : 1];
};

// f(Cells) of the pair law.
template <bool withVirial, bool mixed, class F>
auto withCellsOf(const GcmcPair& p, const F& f) {
  if (p.hard) return f(Cells<void, false, withVirial, mixed>(p));
  return p.forms.with(p.form, [&]<class Form>(const Form&) {
    if (p.forceAtCutoff != 0) return f(Cells<Form, true, withVirial, mixed>(p));
    return f(Cells<Form, false, withVirial, mixed>(p));
  });
}
template <bool withVirial, class F>
auto withCells(const GcmcPair& p, const F& f) {
  return p.mixed ? withCellsOf<withVirial, true>(p, f) : withCellsOf<withVirial, false>(p, f);
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

const GcmcCellFunctions gcmcCellFunctions{energyOf, sumsOf<true>, spreadOf};

}  // namespace cellscope::CELLSCOPE_SIMD
