// 4 lanes: SSE2, which every 64-bit x86 processor has. Included by lanes.h.
#pragma once
#include "sim/exec/lanes.h"
#if LANES_SET == 128

namespace cellscope::CELLSCOPE_SIMD {

// The first n words, n <= kLanes, which alone are read, and `rest` after them.
LANES_INLINE Int loadFirst(const void* p, std::uint32_t n, Int rest) {
  alignas(16) std::uint32_t lane[4];
  _mm_store_si128(reinterpret_cast<Int*>(lane), rest);
  for (std::uint32_t k = 0; k < n; ++k)
    lane[k] = loadAs<std::uint32_t>(static_cast<const char*>(p) + 4 * k);
  return _mm_load_si128(reinterpret_cast<const Int*>(lane));
}

LANES_INLINE Float minimum(Float a, Float b) { return _mm_min_ps(a, b); }
LANES_INLINE Float maximum(Float a, Float b) { return _mm_max_ps(a, b); }
LANES_INLINE Float multiplyAdd(Float a, Float b, Float c) { return a * b + c; }
LANES_INLINE Float multiplySubtract(Float a, Float b, Float c) { return a * b - c; }
LANES_INLINE Float squareRoot(Float a) { return _mm_sqrt_ps(a); }
LANES_INLINE Float inverseRootEstimate(Float a) { return _mm_rsqrt_ps(a); }

LANES_INLINE Int pairProducts(Int a, Int b) { return _mm_madd_epi16(a, b); }
LANES_INLINE Int evenProducts(Int a, Int b) { return _mm_mul_epu32(a, b); }
LANES_INLINE Int weave(Int even, Int odd) {
  const Int low = _mm_setr_epi32(-1, 0, -1, 0);
  return _mm_or_si128(_mm_and_si128(even, low), _mm_slli_epi64(odd, 32));
}

LANES_INLINE unsigned bitsOf(Mask a) { return static_cast<unsigned>(_mm_movemask_ps(a.v)); }
LANES_INLINE int countOf(Mask a) {
  const int bits = _mm_movemask_ps(a.v);
  return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + (bits >> 3);
}
LANES_INLINE Float select(Mask m, Float a, Float b) {
  return _mm_or_ps(_mm_and_ps(m.v, a), _mm_andnot_ps(m.v, b));
}
LANES_INLINE Int select(Mask m, Int a, Int b) {
  const Int v = _mm_castps_si128(m.v);
  return _mm_or_si128(_mm_and_si128(v, a), _mm_andnot_si128(v, b));
}
// The lanes of a mask one after another; returns how many. kLanes of them are written at most.
template <class T, class Lanes>
LANES_INLINE int storeSelected(T* p, Lanes a, Mask m) {
  alignas(16) T lane[4];
  store(lane, a);
  const unsigned bits = bitsOf(m);
  unsigned n = 0;
  for (unsigned k = 0; k < 4; ++k) {
    p[n] = lane[k];
    n += bits >> k & 1;
  }
  return static_cast<int>(n);
}

LANES_INLINE Double lowDoubles(Float a) { return _mm_cvtps_pd(a); }
LANES_INLINE Double highDoubles(Float a) { return _mm_cvtps_pd(_mm_movehl_ps(a, a)); }
LANES_INLINE double sumOf(Double a) {
  double lane[2];
  _mm_storeu_pd(lane, a);
  return lane[0] + lane[1];
}

LANES_INLINE void splitPairs(Float a, Float b, Float& x, Float& y) {
  x = _mm_shuffle_ps(a, b, 0x88);
  y = _mm_shuffle_ps(a, b, 0xdd);
}
LANES_INLINE void storePairs(float* p, Float x, Float y) {
  _mm_storeu_ps(p, _mm_unpacklo_ps(x, y));
  _mm_storeu_ps(p + 4, _mm_unpackhi_ps(x, y));
}

// The first three of four floats, for each lane: at(k) points to those of lane k, 16-byte aligned.
LANES_INLINE void loadTriples(const auto& at, Float& x, Float& y, Float& z) {
  const Float a = _mm_load_ps(at(0)), b = _mm_load_ps(at(1));
  const Float c = _mm_load_ps(at(2)), d = _mm_load_ps(at(3));
  const Float abxy = _mm_unpacklo_ps(a, b), cdxy = _mm_unpacklo_ps(c, d);
  x = _mm_movelh_ps(abxy, cdxy);
  y = _mm_movehl_ps(cdxy, abxy);
  z = _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
}
// Sums over the lanes of three vectors and 0, to four floats.
LANES_INLINE void storeSums(float* p, Float a, Float b, Float c) { storeSumsOfFour(p, a, b, c); }

}  // namespace cellscope::CELLSCOPE_SIMD
#endif
