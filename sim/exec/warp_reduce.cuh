// One number of 32 bits from those of all lanes of a warp, in every lane.
#pragma once
#include <cstdint>

namespace cellscope::exec {

// GPUs before compute capability 8 have no instruction for it.
#if __CUDA_ARCH__ >= 800
#define CELLSCOPE_OVER_WARP(instruction, joined) return instruction(0xffffffffu, a)
#else
#define CELLSCOPE_OVER_WARP(instruction, joined)           \
  for (int step = 16; step > 0; step /= 2) {               \
    const std::uint32_t b = __shfl_xor_sync(~0u, a, step); \
    a = joined;                                            \
  }                                                        \
  return a
#endif
__device__ __forceinline__ std::uint32_t orOverWarp(std::uint32_t a) {
  CELLSCOPE_OVER_WARP(__reduce_or_sync, a | b);
}
__device__ __forceinline__ std::uint32_t addOverWarp(std::uint32_t a) {
  CELLSCOPE_OVER_WARP(__reduce_add_sync, a + b);
}
__device__ __forceinline__ std::uint32_t minOverWarp(std::uint32_t a) {
  CELLSCOPE_OVER_WARP(__reduce_min_sync, min(a, b));
}
__device__ __forceinline__ std::uint32_t maxOverWarp(std::uint32_t a) {
  CELLSCOPE_OVER_WARP(__reduce_max_sync, max(a, b));
}
#undef CELLSCOPE_OVER_WARP

}  // namespace cellscope::exec
