// Vectors of kLanes floats or 32-bit integers for kernels that are compiled once per instruction
// set (*_simd.cpp). Everything is in namespace CELLSCOPE_SIMD and always inlined, so that the
// linker cannot use code for a newer processor elsewhere.
//
//   Float, Int      one value per lane; Int operations are on unsigned 32-bit lanes
//   Mask            one truth value per lane
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
#include "sim/algo/mpmc/lanes_avx512.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "sim/algo/mpmc/lanes_avx2.h"
#else
#include "sim/algo/mpmc/lanes_sse2.h"
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
