// Shared memory by 32-bit addresses. A list then needs one register for its end; with a generic
// pointer the compiler would keep the end twice, once per address space.
#pragma once
#include <cstdint>

#include "sim/base/vec.h"

namespace cellscope::mpmc {

__device__ inline unsigned sharedAddress(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ inline void storeShared(unsigned at, std::uint32_t word) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(word) : "memory");
}
__device__ inline void storeShared(unsigned at, Vec2 v) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(v.x), "f"(v.y) : "memory");
}
__device__ inline std::uint32_t loadSharedWord(unsigned at) {
  std::uint32_t word;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
  return word;
}
__device__ inline Vec2 loadSharedVec2(unsigned at) {
  Vec2 v;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(at) : "memory");
  return v;
}

}  // namespace cellscope::mpmc
