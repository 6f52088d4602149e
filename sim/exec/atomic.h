// Atomic operations of kernels on both backends: minimum, maximum, compare-and-swap of integers of
// 32 and 64 bits, and sums of these and of floating-point numbers. Each returns the value before.
// Sums of integers are exact, so that their order does not matter; sums of floating-point numbers
// depend on it. All are relaxed: they order nothing but themselves.
//
// ...Global: memory that all teams share. ...Shared: memory of one team, whose threads take turns
// on the CPU.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "sim/base/host_device.h"

namespace cellscope::exec {

#ifdef __CUDACC__
namespace on_device {

// What CUDA's atomics take in place of an integer.
template <class T>
using Word =
    std::conditional_t<sizeof(T) == 8,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>, T>;
template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

template <class T>
__device__ T add(T* p, T v) {
  if constexpr (std::is_integral_v<T>)  // negative numbers wrap
    return static_cast<T>(atomicAdd(reinterpret_cast<Bits<T>*>(p), static_cast<Bits<T>>(v)));
  else
    return atomicAdd(p, v);
}

}  // namespace on_device
#endif

namespace on_host {

constexpr auto kRelaxed = std::memory_order_relaxed;

// Replace the value while `better` holds.
template <class T, class Better>
T replace(T* p, T v, const Better& better) {
  const std::atomic_ref<T> at(*p);
  T seen = at.load(kRelaxed);
  while (better(v, seen) && !at.compare_exchange_weak(seen, v, kRelaxed)) {
  }
  return seen;
}

}  // namespace on_host

template <class T>
HOST_DEVICE T addGlobal(T* p, std::type_identity_t<T> v) {
#ifdef __CUDA_ARCH__
  return on_device::add<T>(p, v);
#else
  return std::atomic_ref<T>(*p).fetch_add(v, on_host::kRelaxed);
#endif
}
// What others may be changing.
template <class T>
HOST_DEVICE T loadGlobal(const T* p) {
#ifdef __CUDA_ARCH__
  return *static_cast<const volatile T*>(p);
#else
  return std::atomic_ref<T>(*const_cast<T*>(p)).load(std::memory_order_relaxed);
#endif
}
template <class T>
HOST_DEVICE T minGlobal(T* p, std::type_identity_t<T> v) {
#ifdef __CUDA_ARCH__
  return static_cast<T>(atomicMin(reinterpret_cast<on_device::Word<T>*>(p), v));
#else
  return on_host::replace<T>(p, v, [](T a, T b) { return a < b; });
#endif
}
template <class T>
HOST_DEVICE T maxGlobal(T* p, std::type_identity_t<T> v) {
#ifdef __CUDA_ARCH__
  return static_cast<T>(atomicMax(reinterpret_cast<on_device::Word<T>*>(p), v));
#else
  return on_host::replace<T>(p, v, [](T a, T b) { return a > b; });
#endif
}
// *p = desired where it was `expected`.
template <class T>
HOST_DEVICE T swapGlobalIf(T* p, std::type_identity_t<T> expected,
                           std::type_identity_t<T> desired) {
#ifdef __CUDA_ARCH__
  using B = on_device::Bits<T>;
  return static_cast<T>(
      atomicCAS(reinterpret_cast<B*>(p), static_cast<B>(expected), static_cast<B>(desired)));
#else
  std::atomic_ref<T>(*p).compare_exchange_strong(expected, desired, on_host::kRelaxed);
  return expected;
#endif
}

template <class T>
HOST_DEVICE T addShared(T* p, std::type_identity_t<T> v) {
#ifdef __CUDA_ARCH__
  return on_device::add<T>(p, v);
#else
  const T before = *p;
  *p = before + v;
  return before;
#endif
}

// The last of several threads to arrive somewhere goes on, and sees what the others wrote before.

// Number of arrivals at `counter` before this one. What a thread wrote before it arrived is seen by
// those that arrive later.
HOST_DEVICE std::uint32_t arriveGlobal(std::uint32_t* counter) {
#ifdef __CUDA_ARCH__
  __threadfence();
  const std::uint32_t before = atomicAdd(counter, 1u);
  __threadfence();
  return before;
#else
  return std::atomic_ref<std::uint32_t>(*counter).fetch_add(1, std::memory_order_acq_rel);
#endif
}

}  // namespace cellscope::exec
