// 8 lanes: AVX2 and FMA. Included by lanes.h.
#pragma once
#include "sim/exec/lanes.h"
#if LANES_SET == 256

namespace cellscope::CELLSCOPE_SIMD {

// The first n words, n <= kLanes, which alone are read, and `rest` after them.
LANES_INLINE Int loadFirst(const void* p, std::uint32_t n, Int rest) {
  const Int number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const Int first = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), number);
  const Int read = _mm256_maskload_epi32(static_cast<const int*>(p), first);
  return _mm256_blendv_epi8(rest, read, first);
}

LANES_INLINE Float minimum(Float a, Float b) { return _mm256_min_ps(a, b); }
LANES_INLINE Float maximum(Float a, Float b) { return _mm256_max_ps(a, b); }
LANES_INLINE Float multiplyAdd(Float a, Float b, Float c) { return _mm256_fmadd_ps(a, b, c); }
LANES_INLINE Float multiplySubtract(Float a, Float b, Float c) { return _mm256_fmsub_ps(a, b, c); }
LANES_INLINE Float squareRoot(Float a) { return _mm256_sqrt_ps(a); }
LANES_INLINE Float inverseRootEstimate(Float a) { return _mm256_rsqrt_ps(a); }

LANES_INLINE Int pairProducts(Int a, Int b) { return _mm256_madd_epi16(a, b); }
LANES_INLINE Int evenProducts(Int a, Int b) { return _mm256_mul_epu32(a, b); }
LANES_INLINE Int weave(Int even, Int odd) {
  return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}

LANES_INLINE unsigned bitsOf(Mask a) { return static_cast<unsigned>(_mm256_movemask_ps(a.v)); }
LANES_INLINE int countOf(Mask a) { return __builtin_popcount(bitsOf(a)); }
LANES_INLINE Float select(Mask m, Float a, Float b) { return _mm256_blendv_ps(b, a, m.v); }
LANES_INLINE Int select(Mask m, Int a, Int b) {
  return _mm256_blendv_epi8(b, a, _mm256_castps_si256(m.v));
}

// Byte k of entry m: number of the k-th lane of mask m.
struct SelectedLanes {
  std::uint64_t of[256] = {};
  constexpr SelectedLanes() {
    for (unsigned m = 0; m < 256; ++m)
      for (std::uint64_t lane = 0, at = 0; lane < 8; ++lane)
        if (m >> lane & 1) of[m] |= lane << at, at += 8;
  }
};
// The lanes of a mask one after another; returns how many. kLanes floats are written.
LANES_INLINE int storeSelected(float* p, Float a, Mask m) {
  static constexpr SelectedLanes lanes;
  const auto bytes = static_cast<long long>(lanes.of[bitsOf(m)]);
  const __m256i from = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bytes));
  store(p, _mm256_permutevar8x32_ps(a, from));
  return countOf(m);
}

LANES_INLINE int storeSelected(std::uint32_t* p, Int a, Mask m) {
  return storeSelected(reinterpret_cast<float*>(p), _mm256_castsi256_ps(a), m);
}

LANES_INLINE Double lowDoubles(Float a) { return _mm256_cvtps_pd(_mm256_castps256_ps128(a)); }
LANES_INLINE Double highDoubles(Float a) { return _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)); }
LANES_INLINE double sumOf(Double a) {
  double lane[4];
  _mm256_storeu_pd(lane, a);
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

LANES_INLINE void splitPairs(Float a, Float b, Float& x, Float& y) {
  const Float low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
  x = _mm256_shuffle_ps(low, high, 0x88);
  y = _mm256_shuffle_ps(low, high, 0xdd);
}
LANES_INLINE void storePairs(float* p, Float x, Float y) {
  const Float low = _mm256_unpacklo_ps(x, y), high = _mm256_unpackhi_ps(x, y);
  _mm256_storeu_ps(p, _mm256_permute2f128_ps(low, high, 0x20));
  _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

// The first three of four floats, for each lane: at(k) points to those of lane k, 16-byte aligned.
LANES_INLINE void loadTriples(const auto& at, Float& x, Float& y, Float& z) {
  const auto halves = [&](int k) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(at(k))), _mm_load_ps(at(k + 4)),
                                1);
  };
  const Float a = halves(0), b = halves(1), c = halves(2), d = halves(3);
  const Double abxy = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
  const Double cdxy = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
  x = _mm256_castpd_ps(_mm256_unpacklo_pd(abxy, cdxy));
  y = _mm256_castpd_ps(_mm256_unpackhi_pd(abxy, cdxy));
  z = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(_mm256_unpackhi_ps(a, b)),
                                          _mm256_castps_pd(_mm256_unpackhi_ps(c, d))));
}
// Sums over the lanes of three vectors and 0, to four floats.
LANES_INLINE void storeSums(float* p, Float a, Float b, Float c) {
  const auto folded = [](Float f) {
    return _mm_add_ps(_mm256_castps256_ps128(f), _mm256_extractf128_ps(f, 1));
  };
  storeSumsOfFour(p, folded(a), folded(b), folded(c));
}

}  // namespace cellscope::CELLSCOPE_SIMD
#endif
