// Atomic sums of integers inside kernels: exact, so their order does not matter.
#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope::exec {

// Into memory shared by one team. On the CPU the threads of a team take turns.
HOST_DEVICE void addShared(std::uint32_t* sum, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  atomicAdd(sum, value);
#else
  *sum += value;
#endif
}

// The same, returning the value before (claims `value` places of a list).
HOST_DEVICE std::uint32_t claimShared(std::uint32_t* sum, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(sum, value);
#else
  const std::uint32_t before = *sum;
  *sum += value;
  return before;
#endif
}

// 64-bit sums; negative numbers wrap as two's complement.
HOST_DEVICE void addShared(std::uint64_t* sum, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
  *sum += value;
#endif
}

// Into memory that all teams share.
HOST_DEVICE void addGlobal(std::uint64_t* sum, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

// The same, returning the value before.
HOST_DEVICE std::uint64_t claimGlobal(std::uint64_t* sum, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(reinterpret_cast<unsigned long long*>(sum),
                   static_cast<unsigned long long>(value));
#else
  return __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

}  // namespace cellscope::exec
