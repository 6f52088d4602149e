// Kernels of the verbs of CudaExec, and the iterators that make functors CUB's input and
// output.
#pragma once
#include <cstddef>
#include <iterator>

#include "sim/exec/team.h"

namespace cellscope::exec {

template <class F>
__global__ void forEachKernel(std::size_t n, F f) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

// ticket: zero before and after; counts the teams that are done.
template <class K>
__global__ void teamKernel(K kernel, unsigned* ticket) {
  extern __shared__ __align__(16) std::byte dynamic[];
  __shared__ typename K::Shared shared;
  typename K::Private mine{};
  const int team = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int phases = kernel.phases(team);
  for (int p = 0; p < phases; ++p) {
    runPhase(kernel, p, team, thread, shared, mine, dynamic);
    __syncthreads();
  }
  if constexpr (kHasFinish<K>) {
    __shared__ bool last;
    __threadfence();  // what this thread wrote is seen before its team is counted
    __syncthreads();
    if (thread == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;  // then 0 again
    __syncthreads();
    if (!last) return;
    __threadfence();
    typename K::Private again{};
    const int more = kernel.finishPhases();
    for (int p = 0; p < more; ++p) {
      runFinish(kernel, p, thread, shared, again, dynamic);
      __syncthreads();
    }
  }
}

// f(0), f(1), ... as CUB's input. Thrust has such iterators, but its headers take seconds to
// compile.
template <class T, class F>
class ValueIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = const T*;
  using reference = T;
  explicit ValueIterator(const F& f, std::size_t at = 0) : f_(f), at_(at) {}
  __host__ __device__ T operator*() const { return f_(at_); }
  __host__ __device__ T operator[](difference_type k) const { return f_(at_ + k); }
  __host__ __device__ ValueIterator& operator+=(difference_type k) {
    at_ += k;
    return *this;
  }
  __host__ __device__ ValueIterator operator+(difference_type k) const {
    return ValueIterator(*this) += k;
  }

 private:
  F f_;
  std::size_t at_;
};
template <class T, class F>
ValueIterator<T, F> valuesOf(const F& f) {
  return ValueIterator<T, F>(f);
}

// in[i] for i < n, and one zero behind them.
template <class T>
struct ThenZero {
  const T* in;
  std::size_t n;
  __host__ __device__ T operator()(std::size_t i) const { return i < n ? in[i] : T{}; }
};

template <class T>
struct FillItem {
  T* out;
  T value;
  __host__ __device__ void operator()(std::size_t i) const { out[i] = value; }
};

}  // namespace cellscope::exec
