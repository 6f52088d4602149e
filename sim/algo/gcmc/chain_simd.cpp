// Vectorised energies of the chain. Compiled once per instruction set, in its own namespace; every
// operation is rounded on its own, as in gcmcPairEnergyOf(), and sums in double are exact.
#include "sim/algo/gcmc/chain_simd.h"

#include "sim/algo/all_pairs/simd_floats.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

inline Floats squareRoot(Floats a) {
#if defined(__AVX512F__)
  return FloatLanes(_mm512_maskz_sqrt_ps(__mmask16(-1), __m512(a.v)));
#elif defined(__AVX2__)
  return FloatLanes(_mm256_sqrt_ps(__m256(a.v)));
#else
  return FloatLanes(_mm_sqrt_ps(__m128(a.v)));
#endif
}

// Sum of floats in double, lane by lane.
class DoubleSum {
 public:
#if defined(__AVX512F__)
  void add(Floats f) {
    low_ = _mm512_add_pd(low_, _mm512_cvtps_pd(_mm512_castps512_ps256(__m512(f.v))));
    high_ = _mm512_add_pd(high_, _mm512_cvtps_pd(_mm512_extractf32x8_ps(__m512(f.v), 1)));
  }
  double total() const { return _mm512_reduce_add_pd(_mm512_add_pd(low_, high_)); }

 private:
  __m512d low_ = _mm512_setzero_pd(), high_ = _mm512_setzero_pd();
#elif defined(__AVX2__)
  void add(Floats f) {
    low_ = _mm256_add_pd(low_, _mm256_cvtps_pd(_mm256_castps256_ps128(__m256(f.v))));
    high_ = _mm256_add_pd(high_, _mm256_cvtps_pd(_mm256_extractf128_ps(__m256(f.v), 1)));
  }
  double total() const {
    double lane[4];
    _mm256_storeu_pd(lane, _mm256_add_pd(low_, high_));
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
  }

 private:
  __m256d low_ = _mm256_setzero_pd(), high_ = _mm256_setzero_pd();
#else
  void add(Floats f) {
    low_ = _mm_add_pd(low_, _mm_cvtps_pd(__m128(f.v)));
    high_ = _mm_add_pd(high_, _mm_cvtps_pd(_mm_movehl_ps(__m128(f.v), __m128(f.v))));
  }
  double total() const {
    double lane[2];
    _mm_storeu_pd(lane, _mm_add_pd(low_, high_));
    return lane[0] + lane[1];
  }

 private:
  __m128d low_ = _mm_setzero_pd(), high_ = _mm_setzero_pd();
#endif
};

inline IntLanes laneNumbers() {
  IntLanes lanes{};
  for (int k = 0; k < kLanes; ++k) lanes[k] = k;
  return lanes;
}

template <Truncation truncation, bool withVirial>
struct Cells {
  Floats unitX, unitY, unitZ, cutoffSquared, core, offset, force;

  explicit Cells(const GcmcPair& p)
      : unitX(p.unit[0]),
        unitY(p.unit[1]),
        unitZ(p.unit[2]),
        cutoffSquared(p.cutoffSquared),
        core(kGcmcCoreSquared),
        offset(p.energyOffset),
        force(p.forceAtCutoff) {}

  static Floats rounded(Floats u) { return (u + Floats(kGcmcRounder)) - Floats(kGcmcRounder); }

  void add(Floats r2, IntLanes valid, DoubleSum& energy, DoubleSum& virial) const {
    const IntLanes near = IntLanes(r2.v < cutoffSquared.v) & valid;
    const Floats held = larger(r2, core);
    const Floats inverse = Floats(1.0f).v / held.v;
    const Floats x = inverse * inverse * inverse;
    Floats u = Floats(4.0f) * x * (x - Floats(1.0f));
    Floats root(0.0f);
    if constexpr (truncation != Truncation::plain) u = u + offset;
    if constexpr (truncation == Truncation::force) {
      root = force * squareRoot(held);
      u = u + root;
    }
    energy.add(Floats(FloatLanes(near & IntLanes(rounded(u).v))));
    if constexpr (withVirial) {
      Floats w = Floats(24.0f) * x * ((x + x) - Floats(1.0f));
      if constexpr (truncation == Truncation::force) w = w - root;
      virial.add(Floats(FloatLanes(near & IntLanes(rounded(w).v))));
    }
  }

  GcmcEnergyVirial sum(const GcmcCellWords& c, const std::uint32_t* cells, int count,
                       GcmcPoint at) const {
    DoubleSum energy, virial;
    const IntLanes lanes = laneNumbers();
    const auto ax = static_cast<std::int32_t>(at.x), ay = static_cast<std::int32_t>(at.y),
               az = static_cast<std::int32_t>(at.z);
    for (int k = 0; k < count; ++k) {
      const std::size_t cell = cells[k];
      const auto* x = reinterpret_cast<const std::int32_t*>(c.word) + 3 * cell * c.capacity;
      const auto filled = static_cast<std::int32_t>(c.filled[cell]);
      for (std::int32_t j = 0; j < filled; j += kLanes) {
        const Floats dx = wrappedDifference(ax, loadInts(x + j), unitX);
        const Floats dy = wrappedDifference(ay, loadInts(x + c.capacity + j), unitY);
        const Floats dz = wrappedDifference(az, loadInts(x + 2 * c.capacity + j), unitZ);
        const Floats r2 = (dx * dx + dy * dy) + dz * dz;
        add(r2, IntLanes(lanes < (IntLanes{} + (filled - j))), energy, virial);
      }
    }
    return {energy.total(), withVirial ? virial.total() : 0.0};
  }
};

template <bool withVirial>
GcmcEnergyVirial sumsOf(const GcmcPair& p, const GcmcCellWords& c, const std::uint32_t* cells,
                        int count, GcmcPoint at) {
  switch (p.truncation) {
    case Truncation::plain:
      return Cells<Truncation::plain, withVirial>(p).sum(c, cells, count, at);
    case Truncation::energy:
      return Cells<Truncation::energy, withVirial>(p).sum(c, cells, count, at);
    case Truncation::force:
      return Cells<Truncation::force, withVirial>(p).sum(c, cells, count, at);
  }
  return {0, 0};
}

double energyOf(const GcmcPair& p, const GcmcCellWords& c, const std::uint32_t* cells, int count,
                GcmcPoint at) {
  return sumsOf<false>(p, c, cells, count, at).energy;
}

}  // namespace

GcmcCellFunctions gcmcCellFunctions() { return {energyOf, sumsOf<true>}; }

}  // namespace cellscope::CELLSCOPE_SIMD
