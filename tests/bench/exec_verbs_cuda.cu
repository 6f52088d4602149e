// The verbs of CUDA beside CUB called directly, with scratch allocated before. Timed by events
// around a number of launches; input is renewed outside of them. Items per second. Registered only
// where there is a GPU.
#include <cub/device/device_select.cuh>

#include "sim/exec/cuda_exec.cuh"
#include "tests/bench/exec_verbs_bench.h"

namespace cellscope::bench {
namespace {

struct CudaCase : Case<exec::CudaExec> {
  explicit CudaCase(benchmark::State& s) : Case(s) {
    exec::checkCuda(cudaEventCreate(&begin), "creating an event");
    exec::checkCuda(cudaEventCreate(&end), "creating an event");
  }
  ~CudaCase() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  static std::size_t memory() { return exec::cudaMemory().first; }

  // Time per run of `run`, of several in a row that begin while the GPU still has work, so that it
  // does not wait for the host to launch them.
  template <class Run>
  void time(const Run& run) {
    const int repeats = n > 10'000'000 ? 4 : 32;
    run();
    exec.synchronize();
    for (auto _ : state) {
      exec::checkCuda(cudaEventRecord(begin, exec.stream()), "timing");
      for (int k = 0; k < repeats; ++k) run();
      exec::checkCuda(cudaEventRecord(end, exec.stream()), "timing");
      exec.synchronize();
      state.SetIterationTime(elapsed() / repeats);
    }
  }
  // The same with an input that each run destroys.
  template <class Prepare, class Run>
  void time(const Prepare& prepare, const Run& run) {
    prepare();
    run();
    exec.synchronize();
    for (auto _ : state) {
      prepare();
      exec::checkCuda(cudaEventRecord(begin, exec.stream()), "timing");
      run();
      exec::checkCuda(cudaEventRecord(end, exec.stream()), "timing");
      exec.synchronize();
      state.SetIterationTime(elapsed());
    }
  }
  std::int64_t items() const { return static_cast<std::int64_t>(n); }
  // CUB's two-call protocol, with scratch allocated at the first call.
  template <class Call>
  void cub(const Call& call) {
    std::size_t bytes = 0;
    exec::checkCuda(call(nullptr, bytes), "asking for scratch");
    if (scratch.size() < bytes) scratch = exec::Array<std::byte>(Backend::cuda, bytes);
    exec::checkCuda(call(scratch.data(), bytes), "CUB");
  }
  void copy(const Words& from, std::uint32_t* to) {
    exec::checkCuda(cudaMemcpyAsync(to, from.data(), n * sizeof(std::uint32_t),
                                    cudaMemcpyDeviceToDevice, exec.stream()),
                    "copying");
  }

  exec::Array<std::byte> scratch;

 private:
  double elapsed() const {
    float ms = 0;
    exec::checkCuda(cudaEventElapsedTime(&ms, begin, end), "timing");
    return 1e-3 * ms;
  }
  cudaEvent_t begin = nullptr, end = nullptr;
};

unsigned blocksOf(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

__global__ void fillKernel(std::size_t n, std::uint32_t* out, std::uint32_t value) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
__global__ void sumOfTeamKernel(SumOfTeam kernel) {
  __shared__ std::uint32_t sums[SumOfTeam::kThreads];
  sums[threadIdx.x] = kernel.sumOf(static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) kernel.out[blockIdx.x] = SumOfTeam::total(sums);
}

void addBare() {
  addPlain<CudaCase>("forEach_bare", [](CudaCase& c) {
    exec::forEachKernel<<<blocksOf(c.n), 256, 0, c.exec.stream()>>>(c.n, Increment{c.in.data()});
  });
  addPlain<CudaCase>("fill_bare", [](CudaCase& c) {
    fillKernel<<<blocksOf(c.n), 256, 0, c.exec.stream()>>>(c.n, c.out.data(), 7u);
  });
  addPlain<CudaCase>("teams_bare", [](CudaCase& c) {
    sumOfTeamKernel<<<SumOfTeam::teamsFor(c.n), SumOfTeam::kThreads, 0, c.exec.stream()>>>(
        SumOfTeam{c.in.data(), c.n, c.out.data()});
  });
}

struct IsOdd {
  __host__ __device__ bool operator()(std::uint32_t w) const { return w & 1; }
};

void addSortedByCub(const std::string& name, int bits) {
  add<CudaCase>(name, [bits](CudaCase& c) {
    exec::DoubleBuffer<std::uint32_t> keys(Backend::cuda, c.n), values(Backend::cuda, c.n);
    cub::DoubleBuffer<std::uint32_t> k(keys.data(), keys.spare()), v(values.data(), values.spare());
    c.time([&] { c.copy(c.in, k.Current()), c.copy(c.in, v.Current()); },
           [&] {
             c.cub([&](void* s, std::size_t& b) {
               return cub::DeviceRadixSort::SortPairs(s, b, k, v, c.items(), 0, bits,
                                                      c.exec.stream());
             });
           });
  });
}

void addCub() {
  addPlain<CudaCase>("reduce_cub", [](CudaCase& c) {
    c.cub([&](void* s, std::size_t& b) {
      return cub::DeviceReduce::Reduce(s, b, c.in.data(), c.result.data(), c.items(), AddWords{},
                                       0u, c.exec.stream());
    });
  });
  addPlain<CudaCase>("offsets_cub", [](CudaCase& c) {
    c.cub([&](void* s, std::size_t& b) {
      return cub::DeviceScan::ExclusiveSum(s, b, c.in.data(), c.out.data(), c.items(),
                                           c.exec.stream());
    });
  });
  addPlain<CudaCase>("select_cub", [](CudaCase& c) {
    c.cub([&](void* s, std::size_t& b) {
      return cub::DeviceSelect::If(s, b, c.in.data(), c.out.data(), c.result.data(), c.items(),
                                   IsOdd{}, c.exec.stream());
    });
  });
  addSortedByCub("sortByKey_cub", 32), addSortedByCub("sortByKey_12_bits_cub", 12);
}

[[maybe_unused]] const bool registered = [] {
  if (!exec::cudaStatus().usable) return false;
  addVerbs<CudaCase>(), addBare(), addCub();
  return true;
}();

}  // namespace
}  // namespace cellscope::bench
