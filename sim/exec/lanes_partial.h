// Partial loads from the beginning of a row. Lanes beyond its end are unused, and that memory is
// not read, as another thread may be writing it.
#pragma once
#include "sim/exec/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {

// The first `count` floats or integers (0 if negative, kLanes at most); the other lanes are 0.
LANES_INLINE Float loadFirst(const float* p, int count) {
#if LANES_SET == 512
  const std::uint32_t mask = count <= 0 ? 0u : count >= 16 ? 0xffffu : (1u << count) - 1;
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), p);
#elif LANES_SET == 256
  const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32(count), numbers));
#else
  alignas(64) float first[kLanes] = {};
  for (int k = 0; k < kLanes && k < count; ++k) first[k] = p[k];
  return load(first);
#endif
}

LANES_INLINE Int loadFirst(const std::uint32_t* p, int count) {
#if LANES_SET == 512
  const std::uint32_t mask = count <= 0 ? 0u : count >= 16 ? 0xffffu : (1u << count) - 1;
  return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask), p);
#elif LANES_SET == 256
  const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_maskload_epi32(reinterpret_cast<const int*>(p),
                               _mm256_cmpgt_epi32(_mm256_set1_epi32(count), numbers));
#else
  alignas(64) std::uint32_t first[kLanes] = {};
  for (int k = 0; k < kLanes && k < count; ++k) first[k] = p[k];
  return load(first);
#endif
}

// The first `lanes` pairs (x, y) in memory.
LANES_INLINE void loadGroup(const float* p, int lanes, Float& x, Float& y) {
  if (lanes == kLanes) return loadPairs(p, x, y);
  splitPairs(loadFirst(p, 2 * lanes), loadFirst(p + kLanes, 2 * lanes - kLanes), x, y);
}

}  // namespace cellscope::CELLSCOPE_SIMD
