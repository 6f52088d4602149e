// Kernels behind the verbs of CudaExec, and the iterators that turn functors into CUB's input.
#pragma once
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cstddef>
#include <cstdint>

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

template <class T, class F>
struct IndexedValue {
  F f;
  __host__ __device__ T operator()(std::size_t i) const { return f(i); }
};
template <class T, class F>
auto valuesOf(const F& f) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t{0}),
                                         IndexedValue<T, F>{f});
}

// f(i) to out[k] where an algorithm writes the index i as its k-th result.
template <class T, class F>
auto valuesTo(T* out, const F& f) {
  return thrust::make_transform_output_iterator(out, IndexedValue<T, F>{f});
}

// Selection moves indices, not items: items are made for those kept only, and CUB reads with its
// loads for 4 bytes, which are coalesced; those of DeviceSelect::Flagged are not.
inline constexpr std::uint32_t kNotKept = 0xffffffffu;
template <class Keep>
struct IndexIfKept {
  Keep keep;
  __host__ __device__ std::uint32_t operator()(std::size_t i) const {
    return keep(i) ? static_cast<std::uint32_t>(i) : kNotKept;
  }
};
struct IsKept {
  __host__ __device__ bool operator()(std::uint32_t i) const { return i != kNotKept; }
};

// Samples for DeviceHistogram, which divides integers of 64 bits for integral samples, but
// multiplies floats by the inverse width of a bin: here 1, so that the result is exact.
inline constexpr std::int32_t kMostBins = 1 << 22;  // their middles are floats
template <class Bin>
struct MiddleOfBin {
  Bin bin;
  __host__ __device__ float operator()(std::size_t i) const {
    return static_cast<float>(bin(i)) + 0.5f;
  }
};

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
