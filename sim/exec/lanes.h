// Vectors of kLanes floats or 32-bit integers for kernels that are compiled once per instruction
// set (*_simd.cpp): the one place for intrinsics. Everything is in namespace CELLSCOPE_SIMD and
// always inlined, so that the linker cannot use code for a newer processor elsewhere.
// sim/exec/floats.h has the same with operators, for formulas.
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
#include <cstring>

#ifndef CELLSCOPE_SIMD
#define CELLSCOPE_SIMD simd_sse2
#endif
#define LANES_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#include "sim/exec/lanes_avx512.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "sim/exec/lanes_avx2.h"
#else
#include "sim/exec/lanes_sse2.h"
#endif

namespace cellscope::CELLSCOPE_SIMD {

// 0, 1, 2, ...
LANES_INLINE Int laneNumbers() {
  alignas(64) static constexpr std::uint32_t numbers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                            8, 9, 10, 11, 12, 13, 14, 15};
  return load(numbers);
}
// kLanes pairs (x, y) in memory.
LANES_INLINE void loadPairs(const float* p, Float& x, Float& y) {
  splitPairs(load(p), load(p + kLanes), x, y);
}
// The first n lanes.
LANES_INLINE Mask firstLanes(int n) {
  return greater(broadcast(static_cast<std::uint32_t>(n)), laneNumbers());
}

}  // namespace cellscope::CELLSCOPE_SIMD
