// Vectors of kLanes floats or 32-bit integers for kernels that are compiled once per instruction
// set (*_simd.cpp): the one place for intrinsics. Everything is in namespace CELLSCOPE_SIMD and
// always inlined, so that the linker cannot use code for a newer processor elsewhere.
// Floats is the same with operators, for formulas.
//
// A packaged wrapper was measured: all-pairs forces written with xsimd 8 and 1 / sqrt(x) take 7 %
// longer on AVX2 and as long on AVX-512. Its rsqrt was not tried; it lacks the products of Philox.
//
//   Float, Int      one value per lane; Int operations are on unsigned 32-bit lanes
//   Mask            one truth value per lane; bitsOf: lane k as bit k
//   Double          half as many lanes: lowDoubles and highDoubles make two of one Float
//   inverseRootEstimate   1 / sqrt(x), relative error below 4e-4
//   evenProducts    64-bit products of the even lanes (0, 2, ...) of two vectors
//   pairProducts    per lane, the products of the signed 16-bit halves added up
#pragma once
#include <immintrin.h>

#include <cstdint>

#ifndef CELLSCOPE_SIMD
#define CELLSCOPE_SIMD simd_sse2
#endif
#define LANES_INLINE static inline __attribute__((always_inline))

namespace cellscope::CELLSCOPE_SIMD {

// Double: kLanes / 2 of them.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define LANES_SET 512
inline constexpr int kLanes = 16;
using Float = __m512;
using Int = __m512i;
using Double = __m512d;
using Mask = __mmask16;
#elif defined(__AVX2__) && defined(__FMA__)
#define LANES_SET 256
inline constexpr int kLanes = 8;
using Float = __m256;
using Int = __m256i;
using Double = __m256d;
#else
#define LANES_SET 128
inline constexpr int kLanes = 4;
using Float = __m128;
using Int = __m128i;
using Double = __m128d;
#endif

// What is the same for all sets, in the vectors of the compiler.
using Words = std::uint32_t __attribute__((vector_size(4 * kLanes)));
using SignedWords = std::int32_t __attribute__((vector_size(4 * kLanes)));
using LongWords = std::uint64_t __attribute__((vector_size(4 * kLanes)));
using Bytes = std::uint8_t __attribute__((vector_size(kLanes)));

LANES_INLINE Float broadcast(float x) { return x - Float{}; }
LANES_INLINE Int broadcast(std::uint32_t x) { return Int(x + Words{}); }
template <class Vector>
LANES_INLINE Vector loadAs(const void* p) {
  Vector v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
LANES_INLINE Float load(const float* p) { return loadAs<Float>(p); }
LANES_INLINE Int load(const std::uint32_t* p) { return loadAs<Int>(p); }
LANES_INLINE void store(float* p, Float v) { __builtin_memcpy(p, &v, sizeof v); }
LANES_INLINE void store(std::uint32_t* p, Int v) { __builtin_memcpy(p, &v, sizeof v); }
LANES_INLINE Float toFloat(Int a) { return __builtin_convertvector(SignedWords(a), Float); }
LANES_INLINE Int add(Int a, Int b) { return Int(Words(a) + Words(b)); }
LANES_INLINE Int exclusiveOr(Int a, Int b) { return a ^ b; }
template <int k>
LANES_INLINE Int shiftLeft(Int a) {
  return Int(Words(a) << k);
}
template <int k>
LANES_INLINE Int shiftRight(Int a) {
  return Int(Words(a) >> k);
}
template <int k>
LANES_INLINE Int shiftRightSigned(Int a) {
  return Int(SignedWords(a) >> k);
}
// Odd lanes moved to even lanes.
LANES_INLINE Int oddToEven(Int a) { return Int(LongWords(a) >> 32); }
LANES_INLINE Double noDouble() { return Double{}; }
// The sums of four lanes each of three vectors, and 0, to four floats.
LANES_INLINE void storeSumsOfFour(float* p, __m128 a, __m128 b, __m128 c) {
  const __m128 none = _mm_setzero_ps();
  const __m128 ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
  const __m128 c0 = _mm_add_ps(_mm_unpacklo_ps(c, none), _mm_unpackhi_ps(c, none));
  _mm_storeu_ps(p, _mm_add_ps(_mm_movelh_ps(ab, c0), _mm_movehl_ps(c0, ab)));
}
#if LANES_SET < 512
// All bits of a lane are alike.
struct Mask {
  Float v;
};
LANES_INLINE Mask less(Float a, Float b) { return {Float(a < b)}; }
LANES_INLINE Mask lessEqual(Float a, Float b) { return {Float(a <= b)}; }
LANES_INLINE Mask equal(Int a, Int b) { return {Float(Words(a) == Words(b))}; }
LANES_INLINE Mask greater(Int a, Int b) { return {Float(SignedWords(a) > SignedWords(b))}; }
LANES_INLINE Mask both(Mask a, Mask b) { return {Float(Int(a.v) & Int(b.v))}; }
LANES_INLINE Mask either(Mask a, Mask b) { return {Float(Int(a.v) | Int(b.v))}; }
LANES_INLINE Mask without(Mask a, Mask b) { return {Float(Int(a.v) & ~Int(b.v))}; }
LANES_INLINE Mask noLane() { return {Float{}}; }
LANES_INLINE Int increment(Int a, Mask m) { return Int(Words(a) - Words(m.v)); }  // true: -1
LANES_INLINE Int exclusiveOr(Int a, Int b, Int c) { return a ^ b ^ c; }
LANES_INLINE Int loadBytes(const std::uint8_t* p) {
  return Int(__builtin_convertvector(loadAs<Bytes>(p), Words));
}
LANES_INLINE void storeBytes(std::uint8_t* p, Int v) {
  const Bytes bytes = __builtin_convertvector(Words(v), Bytes);
  __builtin_memcpy(p, &bytes, sizeof bytes);
}
#endif

}  // namespace cellscope::CELLSCOPE_SIMD

#include "sim/exec/lanes_sets.h"

namespace cellscope::CELLSCOPE_SIMD {

#if LANES_SET < 512
// 0 <= x, y < w.
LANES_INLINE Mask insideSquare(Float x, Float y, Float w) {
  return both(lessEqual(Float{}, minimum(x, y)), less(maximum(x, y), w));
}
#endif
LANES_INLINE bool any(Mask a) { return bitsOf(a) != 0; }
// 0, 1, 2, ...
LANES_INLINE Int laneNumbers() {
  alignas(64) static constexpr std::uint32_t numbers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                            8, 9, 10, 11, 12, 13, 14, 15};
  return load(numbers);
}
// The first `lanes` pairs (x, y) in memory, and 0: memory behind these is not read, as another
// thread may be writing it.
LANES_INLINE void loadGroup(const float* p, int lanes, Float& x, Float& y) {
  if (lanes == kLanes) return splitPairs(load(p), load(p + kLanes), x, y);
  const auto first = [p, end = 2 * lanes](int from) {
    const int n = end <= from ? 0 : end - from < kLanes ? end - from : kLanes;
    return Float(loadFirst(p + from, static_cast<std::uint32_t>(n), broadcast(0u)));
  };
  splitPairs(first(0), first(kLanes), x, y);
}
// The first n lanes.
LANES_INLINE Mask firstLanes(int n) {
  return greater(broadcast(static_cast<std::uint32_t>(n)), laneNumbers());
}

// Lanes with operators, for formulas that are written once for a number or a vector of them.
// Operations are rounded one by one unless they are called multiplyAdd.

using FloatLanes = float __attribute__((vector_size(4 * kLanes)));
using IntLanes = std::int32_t __attribute__((vector_size(4 * kLanes)));

struct Floats {
  FloatLanes v;
  Floats() = default;
  Floats(FloatLanes lanes) : v(lanes) {}
  explicit Floats(float s) : v(FloatLanes{} + s) {}
};

LANES_INLINE Floats operator+(Floats a, Floats b) { return a.v + b.v; }
LANES_INLINE Floats operator-(Floats a, Floats b) { return a.v - b.v; }
LANES_INLINE Floats operator*(Floats a, Floats b) { return a.v * b.v; }
LANES_INLINE Floats operator/(Floats a, Floats b) { return a.v / b.v; }

// a b + c, rounded once where the instruction set can.
LANES_INLINE Floats multiplyAdd(Floats a, Floats b, Floats c) {
  return FloatLanes(multiplyAdd(Float(a.v), Float(b.v), Float(c.v)));
}

// Lanes where a < b, as bits.
LANES_INLINE unsigned below(Floats a, Floats b) { return bitsOf(less(Float(a.v), Float(b.v))); }

// Whether some lane is not 0; all bits of a lane are alike.
LANES_INLINE bool anyOf(IntLanes lanes) { return any(greater(broadcast(0u), Int(lanes))); }

LANES_INLINE Floats larger(Floats a, Floats b) { return a.v > b.v ? a.v : b.v; }

LANES_INLINE Floats smaller(Floats a, Floats b) { return a.v < b.v ? a.v : b.v; }

LANES_INLINE Floats squareRoot(Floats a) { return FloatLanes(squareRoot(Float(a.v))); }

// One lane after the other.
LANES_INLINE Floats log1p(Floats a) {
  for (int k = 0; k < kLanes; ++k) a.v[k] = __builtin_log1pf(a.v[k]);
  return a;
}

// 1 / sqrt(a): the processor's estimate and one Newton step, relative error below 3e-7.
LANES_INLINE Floats inverseRoot(Floats a) {
  const Floats e = FloatLanes(inverseRootEstimate(Float(a.v)));
  return e * (Floats(1.5f) - Floats(0.5f) * a * e * e);
}

LANES_INLINE IntLanes loadInts(const std::int32_t* p) {
  return IntLanes(load(reinterpret_cast<const std::uint32_t*>(p)));
}
// Difference modulo 2^32, in units of `unit`.
LANES_INLINE Floats wrappedDifference(std::int32_t a, IntLanes b, Floats unit) {
  using Bits = std::uint32_t __attribute__((vector_size(4 * kLanes)));
  const IntLanes d = IntLanes((Bits{} + static_cast<std::uint32_t>(a)) - Bits(b));
  return Floats(__builtin_convertvector(d, FloatLanes)) * unit;
}

// Sum of floats in double, lane by lane.
class DoubleSum {
 public:
  void add(Floats f) {
    low_ += lowDoubles(Float(f.v));
    high_ += highDoubles(Float(f.v));
  }
  double total() const { return sumOf(low_ + high_); }

 private:
  Double low_ = noDouble(), high_ = noDouble();
};

}  // namespace cellscope::CELLSCOPE_SIMD
