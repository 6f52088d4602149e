// The verbs of parallel work on CUDA, matching sim/exec/cpu_exec.h. For .cu files only.
// All launches go to one stream; every launch is checked. Functors are named structs with a
// device operator(), trivially copyable, passed by value.
#pragma once
#include <nvtx3/nvToolsExt.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <cub/cub.cuh>
#include <limits>
#include <string>

#include "sim/base/error.h"
#include "sim/exec/context.h"
#include "sim/exec/cuda_check.h"
#include "sim/exec/launch_graph.cuh"
#include "sim/exec/launch_timer.cuh"
#include "sim/exec/memory.h"
#include "sim/exec/team.h"

namespace cellscope::exec {

template <class F>
__global__ void forEachKernel(std::size_t n, F f) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

template <class K>
__global__ void teamKernel(K kernel) {
  __shared__ typename K::Shared shared;
  typename K::Private mine{};
  const int team = static_cast<int>(blockIdx.x);
  const int phases = kernel.phases(team);
  for (int p = 0; p < phases; ++p) {
    kernel.phase(p, team, static_cast<int>(threadIdx.x), shared, mine);
    __syncthreads();
  }
}

template <class T, class F>
struct IndexedValue {
  F f;
  __host__ __device__ T operator()(std::size_t i) const { return f(i); }
};

class CudaExec final : public Context {
 public:
  static constexpr Backend backend = Backend::cuda;
  static constexpr int kBlock = 256;

  explicit CudaExec(int device = 0) : CudaExec(ExecConfig{Backend::cuda, 0, device}) {}
  explicit CudaExec(const ExecConfig& config) : Context(config) {
    useCudaDevice(config.device);
    checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~CudaExec() override { cudaStreamDestroy(stream_); }

  cudaStream_t stream() const { return stream_; }
  // Whether launches of this name are to be timed before the next synchronize(): then they must be
  // made one by one, not in a graph.
  bool timesSoon(const char* name) { return timer_.due(name); }

  template <class F>
  void forEach(const char* name, std::size_t n, const F& f, std::size_t = 0) {
    if (n == 0) return;
    launch(name, [&] {
      forEachKernel<<<static_cast<unsigned>((n + kBlock - 1) / kBlock), kBlock, 0, stream_>>>(n, f);
    });
  }

  template <class K>
  void teams(const char* name, TeamShape shape, const K& kernel) {
    if (shape.teams == 0) return;
    launch(name, [&] { teamKernel<<<shape.teams, shape.threads, 0, stream_>>>(kernel); });
  }

  // Result returned to the host; synchronises.
  template <class T, class F, class Op>
  T reduce(const char* name, std::size_t n, T init, const F& f, const Op& op) {
    if (n == 0) return init;
    Array<T> out(Backend::cuda, 1);
    auto input = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t{0}),
                                                 IndexedValue<T, F>{f});
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceReduce::Reduce(s, b, input, out.data(), cubCount(name, n), op, init,
                                       stream_);
    });
    synchronize();
    return out.get(0);
  }

  template <class T>
  T exclusiveScan(const char* name, const T* in, T* out, std::size_t n) {
    if (n == 0) return T{};
    T last{};
    synchronize();
    copy(Backend::cpu, &last, Backend::cuda, in + (n - 1), sizeof(T));
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceScan::ExclusiveSum(s, b, in, out, cubCount(name, n), stream_);
    });
    synchronize();
    T total{};
    copy(Backend::cpu, &total, Backend::cuda, out + (n - 1), sizeof(T));
    return total + last;
  }

  template <class Key, class Value>
  void sortByKey(const char* name, Key* keys, Value* values, std::size_t n) {
    if (n == 0) return;
    Array<Key> k(Backend::cuda, n);
    Array<Value> v(Backend::cuda, n);
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceRadixSort::SortPairs(s, b, keys, k.data(), values, v.data(),
                                             cubCount(name, n), 0, sizeof(Key) * 8, stream_);
    });
    synchronize();
    copy(Backend::cuda, keys, Backend::cuda, k.data(), n * sizeof(Key));
    copy(Backend::cuda, values, Backend::cuda, v.data(), n * sizeof(Value));
  }

  void synchronize() {
    timer_.beforeWait();
    checkCuda(cudaStreamSynchronize(stream_), "waiting for the GPU");
    timer_.afterWait();
  }

  // Run `start`, a kernel launch on stream(), under a name. count: of what the profile is to count,
  // where one launch does it many times over.
  template <class F>
  void launch(const char* name, const F& start, std::uint64_t count = 1) {
    nvtxRangePushA(name);
    if (recording_) {
      start();
      addLaunches(*recording_, name, count);
    } else {
      timer_.before(name);
      start();
      timer_.after(name, count);
    }
    nvtxRangePop();
    checkCuda(cudaPeekAtLastError(), name);
  }

  // The launches that `makeThem` would make. Waits for those before.
  template <class F>
  LaunchGraph record(const F& makeThem) {
    synchronize();
    LaunchCapture capture(stream_);
    recording_ = &capture.launches();
    try {
      makeThem();
    } catch (...) {
      recording_ = nullptr;
      throw;
    }
    recording_ = nullptr;
    return capture.end();
  }
  void replay(const char* name, const LaunchGraph& graph) {
    nvtxRangePushA(name);
    timer_.beforeMany();
    graph.launch(stream_);
    timer_.afterMany(graph.launches());
    nvtxRangePop();
  }

 private:
  // CUB takes counts of 64 bits in all of its algorithms from version 3 (CUDA 13) on; some before
  // it would cut them to an int. The modes stay far below (at most 2^26 particles, kLargestN).
  static std::int64_t cubCount(const char* name, std::size_t n) {
    constexpr std::size_t kMost = CUB_VERSION >= 300000 ? std::numeric_limits<std::int64_t>::max()
                                                        : std::numeric_limits<int>::max();
    if (n > kMost)
      throw RunError(std::string(name) + ": " + std::to_string(n) + " items are more than the " +
                     std::to_string(kMost) +
                     " that CUB of this CUDA version takes; build with "
                     "CUDA 13 or later, or use --backend cpu");
    return static_cast<std::int64_t>(n);
  }

  // CUB's two-call protocol: ask for the scratch size, then run.
  template <class F>
  void withScratch(const char* name, const F& call) {
    std::size_t bytes = 0;
    checkCuda(call(nullptr, bytes), name);
    if (scratch_.size() < bytes) scratch_ = Array<unsigned char>(Backend::cuda, bytes);
    launch(name, [&] { checkCuda(call(scratch_.data(), bytes), name); });
  }

  cudaStream_t stream_ = nullptr;
  LaunchTimer timer_{profile(), stream_};
  LaunchCounts* recording_ = nullptr;
  Array<unsigned char> scratch_;
};

}  // namespace cellscope::exec
