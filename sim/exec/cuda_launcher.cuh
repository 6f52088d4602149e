// Launches on CUDA: the verbs that need no library, for .cu files that have kernels alone.
#pragma once
#include <nvtx3/nvToolsExt.h>

#include "sim/exec/context.h"
#include "sim/exec/launch_timer.cuh"
#include "sim/exec/memory.h"
#include "sim/exec/team.h"

namespace cellscope::exec {

// Kernels of the verbs of CudaExec.

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

template <class T>
struct FillItem {
  T* out;
  T value;
  __host__ __device__ void operator()(std::size_t i) const { out[i] = value; }
};

class CudaLauncher : public Context {
 public:
  using Launcher = CudaLauncher;
  static constexpr Backend backend = Backend::cuda;
  static constexpr int kBlock = 256;

  explicit CudaLauncher(const ExecConfig& config) : Context(config) {
    useCudaDevice(config.device);
    checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    ticket_ = Array<unsigned>(Backend::cuda, 1);
    ticket_.zero();
  }
  ~CudaLauncher() override { cudaStreamDestroy(stream_); }

  cudaStream_t stream() const { return stream_; }

  template <class F>
  void forEach(const char* name, std::size_t n, const F& f, std::size_t = 0) {
    if (n == 0) return;
    launch(name, [&] {
      forEachKernel<<<static_cast<unsigned>((n + kBlock - 1) / kBlock), kBlock, 0, stream_>>>(n, f);
    });
  }

  template <class T>
  void fill(const char* name, T* out, std::size_t n, const T& value) {
    forEach(name, n, FillItem<T>{out, value});
  }

  template <class K>
  void teams(const char* name, TeamShape shape, const K& kernel) {
    if (shape.teams == 0) return;
    const std::size_t bytes = wholeVectors(shape.sharedBytes);
    if (bytes > 0) allowShared<K>(name, bytes);
    launch(name, [&] {
      teamKernel<<<shape.teams, shape.threads, bytes, stream_>>>(kernel, ticket_.data());
    });
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

  // All blocks must be resident: they wait for each other.
  template <class... Parameters, class... Args>
  void launchResident(const char* name, dim3 blocks, unsigned threads, std::size_t sharedBytes,
                      std::uint64_t count, void (*kernel)(Parameters...), const Args&... args) {
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks, config.blockDim = threads;
    config.dynamicSmemBytes = sharedBytes, config.stream = stream_;
    config.attrs = &together, config.numAttrs = 1;
    launch(
        name, [&] { checkCuda(cudaLaunchKernelEx(&config, kernel, args...), name); }, count);
  }

 protected:
  cudaStream_t stream_ = nullptr;
  Array<unsigned> ticket_;
  LaunchTimer timer_{profile(), stream_};
  LaunchCounts* recording_ = nullptr;

 private:
  // `dynamic` is aligned to 16 bytes, so the compiler may join reads of neighbours into one of 16
  // bytes, the last of them beyond what the kernel itself asks for.
  static std::size_t wholeVectors(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  // A block gets 48 KiB without asking. Throws RunError naming what the device has.
  template <class K>
  void allowShared(const char* name, std::size_t bytes) {
    const int most = deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, config().device);
    const std::size_t all = bytes + sizeof(typename K::Shared);
    if (all > static_cast<std::size_t>(most))
      throw RunError(std::string(name) + ": a team needs " + std::to_string(all) +
                     " bytes of shared memory; this GPU has " + std::to_string(most));
    if (all > 48 * 1024 - 1024)  // the kernel itself uses some
      allowAllShared(teamKernel<K>, name);
  }
};

}  // namespace cellscope::exec
