// Allocator of std::vector for large arrays of the CPU backend: counted, and in large pages.
#pragma once
#include <cstddef>
#include <vector>

#include "sim/exec/memory.h"

namespace cellscope::exec {

template <class T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <class U>
  HostAllocator(const HostAllocator<U>&) {}

  T* allocate(std::size_t n) {
    return static_cast<T*>(exec::allocate(Backend::cpu, n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) noexcept { release(Backend::cpu, p, n * sizeof(T)); }
  friend bool operator==(HostAllocator, HostAllocator) { return true; }
};

template <class T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace cellscope::exec
