// What lanes.h has by intrinsics, for each width of its vectors. Included by lanes.h.
#pragma once
#include "sim/exec/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {

// 16 lanes: AVX-512 F, DQ, BW, VL.
#if LANES_SET == 512

// The first n words, n <= kLanes, which alone are read, and `rest` after them.
LANES_INLINE Int loadFirst(const void* p, std::uint32_t n, Int rest) {
  return _mm512_mask_loadu_epi32(rest, static_cast<Mask>((1u << n) - 1), p);
}

LANES_INLINE Int loadBytes(const std::uint8_t* p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
LANES_INLINE void storeBytes(std::uint8_t* p, Int v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(v));
}

LANES_INLINE Float minimum(Float a, Float b) { return _mm512_min_ps(a, b); }
LANES_INLINE Float maximum(Float a, Float b) { return _mm512_max_ps(a, b); }
// a b + c, fused where the instruction set can.
LANES_INLINE Float multiplyAdd(Float a, Float b, Float c) { return _mm512_fmadd_ps(a, b, c); }
LANES_INLINE Float multiplySubtract(Float a, Float b, Float c) { return _mm512_fmsub_ps(a, b, c); }
LANES_INLINE Float squareRoot(Float a) { return _mm512_maskz_sqrt_ps(__mmask16(-1), a); }
LANES_INLINE Float inverseRootEstimate(Float a) {
  return _mm512_maskz_rsqrt14_ps(__mmask16(-1), a);
}

LANES_INLINE Int exclusiveOr(Int a, Int b, Int c) {
  return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}
LANES_INLINE Int pairProducts(Int a, Int b) { return _mm512_madd_epi16(a, b); }
LANES_INLINE Int evenProducts(Int a, Int b) { return _mm512_mul_epu32(a, b); }
// Even lanes of `even`, and even lanes of `odd` moved to odd lanes.
LANES_INLINE Int weave(Int even, Int odd) {
  return _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
}

LANES_INLINE Mask less(Float a, Float b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
LANES_INLINE Mask lessEqual(Float a, Float b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
LANES_INLINE Mask equal(Int a, Int b) { return _mm512_cmpeq_epi32_mask(a, b); }
LANES_INLINE Mask greater(Int a, Int b) { return _mm512_cmpgt_epi32_mask(a, b); }  // signed
LANES_INLINE Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
LANES_INLINE Mask either(Mask a, Mask b) { return static_cast<Mask>(a | b); }
LANES_INLINE Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
LANES_INLINE Mask noLane() { return 0; }
LANES_INLINE unsigned bitsOf(Mask a) { return a; }
LANES_INLINE int countOf(Mask a) { return __builtin_popcount(a); }
// 0 <= x, y < w, as one unsigned comparison: a negative number has the largest bit patterns.
LANES_INLINE Mask insideSquare(Float x, Float y, Float w) {
  const Int larger = _mm512_max_epu32(_mm512_castps_si512(x), _mm512_castps_si512(y));
  return _mm512_cmplt_epu32_mask(larger, _mm512_castps_si512(w));
}
LANES_INLINE Float select(Mask m, Float a, Float b) { return _mm512_mask_blend_ps(m, b, a); }
LANES_INLINE Int select(Mask m, Int a, Int b) { return _mm512_mask_blend_epi32(m, b, a); }
LANES_INLINE Int increment(Int a, Mask m) {
  return _mm512_mask_add_epi32(a, m, a, _mm512_set1_epi32(1));
}
// The lanes of a mask one after another; returns how many. kLanes floats are written.
LANES_INLINE int storeSelected(float* p, Float a, Mask m) {
  _mm512_storeu_ps(p, _mm512_maskz_compress_ps(m, a));
  return countOf(m);
}

LANES_INLINE int storeSelected(std::uint32_t* p, Int a, Mask m) {
  _mm512_storeu_si512(p, _mm512_maskz_compress_epi32(m, a));
  return countOf(m);
}

LANES_INLINE Double lowDoubles(Float a) { return _mm512_cvtps_pd(_mm512_castps512_ps256(a)); }
LANES_INLINE Double highDoubles(Float a) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)); }
LANES_INLINE double sumOf(Double a) { return _mm512_reduce_add_pd(a); }

// kLanes pairs (x, y), two vectors as they are in memory.
LANES_INLINE void splitPairs(Float a, Float b, Float& x, Float& y) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  x = _mm512_permutex2var_ps(a, even, b);
  y = _mm512_permutex2var_ps(a, odd, b);
}
LANES_INLINE void storePairs(float* p, Float x, Float y) {
  const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high =
      _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  _mm512_storeu_ps(p, _mm512_permutex2var_ps(x, low, y));
  _mm512_storeu_ps(p + 16, _mm512_permutex2var_ps(x, high, y));
}

// Four records, one in each quarter of the vector.
LANES_INLINE Float loadQuarters(const float* a, const float* b, const float* c, const float* d) {
  const Float ab = _mm512_insertf32x4(_mm512_castps128_ps512(_mm_load_ps(a)), _mm_load_ps(b), 1);
  return _mm512_insertf32x4(_mm512_insertf32x4(ab, _mm_load_ps(c), 2), _mm_load_ps(d), 3);
}
// The first three of four floats, for each lane: at(k) points to those of lane k, 16-byte aligned.
LANES_INLINE void loadTriples(const auto& at, Float& x, Float& y, Float& z) {
  const Float a = loadQuarters(at(0), at(4), at(8), at(12));
  const Float b = loadQuarters(at(1), at(5), at(9), at(13));
  const Float c = loadQuarters(at(2), at(6), at(10), at(14));
  const Float d = loadQuarters(at(3), at(7), at(11), at(15));
  const Double abxy = _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
  const Double cdxy = _mm512_castps_pd(_mm512_unpacklo_ps(c, d));
  x = _mm512_castpd_ps(_mm512_unpacklo_pd(abxy, cdxy));
  y = _mm512_castpd_ps(_mm512_unpackhi_pd(abxy, cdxy));
  z = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(_mm512_unpackhi_ps(a, b)),
                                          _mm512_castps_pd(_mm512_unpackhi_ps(c, d))));
}
// Sums over the lanes of three vectors and 0, to four floats.
LANES_INLINE void storeSums(float* p, Float a, Float b, Float c) {
  const auto folded = [](Float f) {
    const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(f), _mm512_extractf32x8_ps(f, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  };
  storeSumsOfFour(p, folded(a), folded(b), folded(c));
}

// 8 lanes: AVX2 and FMA.
#elif LANES_SET == 256

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
LANES_INLINE void storeSums(float* p, Float a, Float b, Float c) {
  const auto folded = [](Float f) {
    return _mm_add_ps(_mm256_castps256_ps128(f), _mm256_extractf128_ps(f, 1));
  };
  storeSumsOfFour(p, folded(a), folded(b), folded(c));
}

// 4 lanes: SSE2, which every 64-bit x86 processor has.
#else

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

LANES_INLINE void loadTriples(const auto& at, Float& x, Float& y, Float& z) {
  const Float a = _mm_load_ps(at(0)), b = _mm_load_ps(at(1));
  const Float c = _mm_load_ps(at(2)), d = _mm_load_ps(at(3));
  const Float abxy = _mm_unpacklo_ps(a, b), cdxy = _mm_unpacklo_ps(c, d);
  x = _mm_movelh_ps(abxy, cdxy);
  y = _mm_movehl_ps(cdxy, abxy);
  z = _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
}
LANES_INLINE void storeSums(float* p, Float a, Float b, Float c) { storeSumsOfFour(p, a, b, c); }

#endif

}  // namespace cellscope::CELLSCOPE_SIMD
