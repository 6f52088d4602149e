// Vectors of floats and 32-bit integers for *_simd.cpp files. Everything lies in the namespace of
// the instruction set and calls no function outside it, so that no code compiled for a newer
// processor can be linked into a path that runs on an older one.
#pragma once
#include <immintrin.h>

#include <cstdint>

namespace cellscope::CELLSCOPE_SIMD {

#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
#elif defined(__AVX2__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

using FloatLanes = float __attribute__((vector_size(4 * kLanes)));
using IntLanes = std::int32_t __attribute__((vector_size(4 * kLanes)));
using UnalignedInts = std::int32_t __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

struct Floats {
  FloatLanes v;
  Floats() = default;
  Floats(FloatLanes lanes) : v(lanes) {}
  explicit Floats(float s) : v(FloatLanes{} + s) {}
};

inline Floats operator+(Floats a, Floats b) { return a.v + b.v; }
inline Floats operator-(Floats a, Floats b) { return a.v - b.v; }
inline Floats operator*(Floats a, Floats b) { return a.v * b.v; }

// a b + c
inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
#if defined(__AVX512F__)
  return FloatLanes(_mm512_fmadd_ps(__m512(a.v), __m512(b.v), __m512(c.v)));
#elif defined(__AVX2__)
  return FloatLanes(_mm256_fmadd_ps(__m256(a.v), __m256(b.v), __m256(c.v)));
#else
  return a.v * b.v + c.v;
#endif
}

// Lanes where a < b, as bits.
inline unsigned below(Floats a, Floats b) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(__m512(a.v), __m512(b.v), _CMP_LT_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(
      _mm256_movemask_ps(_mm256_cmp_ps(__m256(a.v), __m256(b.v), _CMP_LT_OQ)));
#else
  return static_cast<unsigned>(_mm_movemask_ps(_mm_cmplt_ps(__m128(a.v), __m128(b.v))));
#endif
}

inline Floats larger(Floats a, Floats b) { return a.v > b.v ? a.v : b.v; }

// 1 / sqrt(a): the processor's estimate and one Newton step, relative error below 3e-7.
inline Floats inverseRoot(Floats a) {
#if defined(__AVX512F__)
  const Floats e = FloatLanes(_mm512_maskz_rsqrt14_ps(__mmask16(-1), __m512(a.v)));
#elif defined(__AVX2__)
  const Floats e = FloatLanes(_mm256_rsqrt_ps(__m256(a.v)));
#else
  const Floats e = FloatLanes(_mm_rsqrt_ps(__m128(a.v)));
#endif
  return e * (Floats(1.5f) - Floats(0.5f) * a * e * e);
}

inline IntLanes loadInts(const std::int32_t* p) {
  return IntLanes(*reinterpret_cast<const UnalignedInts*>(p));
}
// Difference modulo 2^32, in units of `unit`.
inline Floats wrappedDifference(std::int32_t a, IntLanes b, Floats unit) {
  using Bits = std::uint32_t __attribute__((vector_size(4 * kLanes)));
  const IntLanes d = IntLanes((Bits{} + static_cast<std::uint32_t>(a)) - Bits(b));
  return Floats(__builtin_convertvector(d, FloatLanes)) * unit;
}

}  // namespace cellscope::CELLSCOPE_SIMD
