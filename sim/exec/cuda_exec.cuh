// The verbs of parallel work on CUDA, matching sim/exec/cpu_exec.h, which describes them. For .cu
// files only.
//
// All launches go to one stream; every launch is checked. Functors are named structs with a
// device operator(), trivially copyable, passed by value. No verb waits for the GPU, and none
// allocates once the workspace has grown to what it needs: all can be recorded and replayed.
#pragma once
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <limits>

#include "sim/exec/cuda_launcher.cuh"

namespace cellscope::exec {

// f(0), f(1), ... as CUB's input.
template <class T, class F>
auto valuesOf(const F& f) {
  using Number = thrust::counting_iterator<std::size_t>;
  return thrust::transform_iterator<F, Number, T, T>(Number(0), f);
}

// in[i] for i < n, and one zero behind them.
template <class T>
struct ThenZero {
  const T* in;
  std::size_t n;
  __host__ __device__ T operator()(std::size_t i) const { return i < n ? in[i] : T{}; }
};

class CudaExec final : public CudaLauncher {
 public:
  explicit CudaExec(int device = 0) : CudaExec(ExecConfig{Backend::cuda, 0, device}) {}
  explicit CudaExec(const ExecConfig& config) : CudaLauncher(config) {}

  Workspace& workspace() { return workspace_; }
  bool recording() const { return recording_ != nullptr; }  // launches, to be replayed
  // Whether launches of this name are to be timed before the next synchronize(): then they must be
  // made one by one, not in a graph.
  bool timesSoon(const char* name) { return timer_.due(name); }

  void synchronize() override {
    timer_.beforeWait();
    checkCuda(cudaStreamSynchronize(stream_), "waiting for the GPU");
    timer_.afterWait();
  }

  template <class T, class F, class Op>
  void reduce(const char* name, std::size_t n, const T& init, const F& f, const Op& op,
              DeviceValue<T>& out) {
    if (n == 0) return fill(name, out.data(), 1, init);
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceReduce::Reduce(s, b, valuesOf<T>(f), out.data(), cubCount(name, n), op,
                                       init, stream_);
    });
  }

  template <class T>
  void offsets(const char* name, const T* counts, T* out, std::size_t n) {
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceScan::ExclusiveSum(s, b, valuesOf<T>(ThenZero<T>{counts, n}), out,
                                           cubCount(name, n + 1), stream_);
    });
  }

  // Recorded: a replay reads the buffers that were current when it was recorded, and leaves its
  // result in those that were current after the recording.
  template <class Key, class Value>
  void sortByKey(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,
                 std::size_t n, BitRange bits = kAllBits<Key>) {
    static_assert(std::is_unsigned_v<Key>);
    if (n < 2 || bits.end <= bits.begin) return;
    cub::DoubleBuffer<Key> k(keys.data(), keys.spare());
    cub::DoubleBuffer<Value> v(values.data(), values.spare());
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceRadixSort::SortPairs(s, b, k, v, cubCount(name, n), bits.begin, bits.end,
                                             stream_);
    });
    if (k.Current() != keys.data()) keys.swap();
    if (v.Current() != values.data()) values.swap();
  }

  template <class Item, class Keep, class T>
  void select(const char* name, std::size_t n, const Item& item, const Keep& keep, T* out,
              DeviceValue<std::uint32_t>& count) {
    if (n == 0) return fill(name, count.data(), 1, 0u);
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceSelect::If(s, b, thrust::counting_iterator<std::uint32_t>(0),
                                   thrust::make_transform_output_iterator(out, item), count.data(),
                                   cubCount(name, n), keep, stream_);
    });
  }

  template <class T>
  void fetch(const DeviceValue<T>& value) {
    checkCuda(
        cudaMemcpyAsync(value.staging(), value.data(), sizeof(T), cudaMemcpyDeviceToHost, stream_),
        "fetching a result");
  }
  // Waits.
  template <class T>
  T read(const DeviceValue<T>& value) {
    fetch(value);
    synchronize();
    return value.seen();
  }

  // The launches that `makeThem` would make. Waits for those before. The same work must have run
  // once, so that the workspace need not grow.
  template <class F>
  LaunchGraph record(const F& makeThem) {
    synchronize();
    LaunchCapture capture(stream_);
    const Recording recording(*this, capture.launches());
    makeThem();
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
  struct Recording {
    Recording(CudaExec& e, LaunchCounts& launches) : exec(e) {
      exec.recording_ = &launches;
      exec.workspace_.beginRecording();
    }
    ~Recording() {
      exec.recording_ = nullptr;
      exec.workspace_.endRecording();
    }
    CudaExec& exec;
  };

  // CUB takes counts of 64 bits in all of its algorithms from version 3 (CUDA 13) on; some before
  // it would cut them to an int. Molecular dynamics has at most 2e9 particles; more disks than an
  // int holds are refused here.
  static std::int64_t cubCount(const char* name, std::size_t n) {
    constexpr std::size_t kMost = CUB_VERSION >= 300000 ? std::numeric_limits<std::int64_t>::max()
                                                        : std::numeric_limits<int>::max();
    if (n > kMost)
      throw RunError(
          std::string(name) + ": " + std::to_string(n) + " items are more than the " +
          std::to_string(kMost) +
          " that this takes on a GPU; CUDA 13 or later may take more, as does --backend cpu");
    return static_cast<std::int64_t>(n);
  }

  // CUB's two-call protocol: ask for the scratch size, then run.
  template <class F>
  void withScratch(const char* name, const F& call) {
    std::size_t bytes = 0;
    checkCuda(call(nullptr, bytes), name);
    std::byte* const scratch = workspace_.get(name, bytes);
    launch(name, [&] { checkCuda(call(scratch, bytes), name); });
  }

  Workspace workspace_{Backend::cuda};
};

}  // namespace cellscope::exec
