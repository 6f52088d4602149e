// The verbs of CUDA beside CUB called directly, with scratch allocated before. Timed by events
// around a number of launches; input is renewed outside of them. Items per second. Registered only
// where there is a GPU.
#include <algorithm>
#include <cub/device/device_select.cuh>
#include <string>

#include "sim/exec/cuda_exec.cuh"
#include "tests/bench/exec_verbs_bench.h"

namespace cellscope::bench {
namespace {

using Words = exec::Array<std::uint32_t>;

// What a benchmark works on: random words, and room for results.
struct Case {
  explicit Case(benchmark::State& s)
      : state(s),
        n(static_cast<std::size_t>(s.range(0))),
        in(Backend::cuda, n),
        out(in.where(), n + 1) {
    exec.forEach("words", n, FillWords{in.data()});
    exec::checkCuda(cudaEventCreate(&begin), "creating an event");
    exec::checkCuda(cudaEventCreate(&end), "creating an event");
  }
  ~Case() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }

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
    finish();
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
    finish();
  }
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

  benchmark::State& state;
  exec::CudaExec exec;
  std::size_t n;
  Words in, out;
  exec::DeviceValue<std::uint32_t> result{Backend::cuda};
  exec::Array<std::byte> scratch;

 private:
  double elapsed() const {
    float ms = 0;
    exec::checkCuda(cudaEventElapsedTime(&ms, begin, end), "timing");
    return 1e-3 * ms;
  }
  void finish() { state.SetItemsProcessed(state.iterations() * state.range(0)); }

  cudaEvent_t begin = nullptr, end = nullptr;
};

void forEach(benchmark::State& state) {
  Case c(state);
  c.time([&] { c.exec.forEach("add", c.n, Increment{c.in.data()}); });
}
void forEachBare(benchmark::State& state) {
  Case c(state);
  const auto blocks = static_cast<unsigned>((c.n + 255) / 256);
  c.time([&] {
    exec::forEachKernel<<<blocks, 256, 0, c.exec.stream()>>>(c.n, Increment{c.in.data()});
  });
}

void fill(benchmark::State& state) {
  Case c(state);
  c.time([&] { c.exec.fill("fill", c.out.data(), c.n, 7u); });
}
__global__ void fillKernel(std::size_t n, std::uint32_t* out, std::uint32_t value) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
void fillBare(benchmark::State& state) {
  Case c(state);
  const auto blocks = static_cast<unsigned>((c.n + 255) / 256);
  c.time([&] { fillKernel<<<blocks, 256, 0, c.exec.stream()>>>(c.n, c.out.data(), 7u); });
}

void reduce(benchmark::State& state) {
  Case c(state);
  c.time([&] { c.exec.reduce("sum", c.n, 0u, WordAt{c.in.data()}, AddWords{}, c.result); });
}
void reduceCub(benchmark::State& state) {
  Case c(state);
  const auto n = static_cast<std::int64_t>(c.n);
  c.time([&] {
    c.cub([&](void* s, std::size_t& b) {
      return cub::DeviceReduce::Reduce(s, b, c.in.data(), c.result.data(), n, AddWords{}, 0u,
                                       c.exec.stream());
    });
  });
}

void offsets(benchmark::State& state) {
  Case c(state);
  c.time([&] { c.exec.offsets("scan", c.in.data(), c.out.data(), c.n); });
}
void offsetsCub(benchmark::State& state) {
  Case c(state);
  const auto n = static_cast<std::int64_t>(c.n);
  c.time([&] {
    c.cub([&](void* s, std::size_t& b) {
      return cub::DeviceScan::ExclusiveSum(s, b, c.in.data(), c.out.data(), n, c.exec.stream());
    });
  });
}

// Pairs of 32-bit keys, all bits random, and 32-bit values.
void sortBits(benchmark::State& state, int bits) {
  Case c(state);
  exec::DoubleBuffer<std::uint32_t> keys(Backend::cuda, c.n), values(Backend::cuda, c.n);
  c.time([&] { c.copy(c.in, keys.data()), c.copy(c.in, values.data()); },
         [&] {
           c.exec.sortByKey("sort", keys, values, c.n, {0, bits});
         });
}
void sortBitsCub(benchmark::State& state, int bits) {
  Case c(state);
  exec::DoubleBuffer<std::uint32_t> keys(Backend::cuda, c.n), values(Backend::cuda, c.n);
  cub::DoubleBuffer<std::uint32_t> k(keys.data(), keys.spare()), v(values.data(), values.spare());
  const auto n = static_cast<std::int64_t>(c.n);
  c.time([&] { c.copy(c.in, k.Current()), c.copy(c.in, v.Current()); },
         [&] {
           c.cub([&](void* s, std::size_t& b) {
             return cub::DeviceRadixSort::SortPairs(s, b, k, v, n, 0, bits, c.exec.stream());
           });
         });
}
void sortByKey(benchmark::State& state) { sortBits(state, 32); }
void sortByKeyCub(benchmark::State& state) { sortBitsCub(state, 32); }
void sortByKey12(benchmark::State& state) { sortBits(state, 12); }
void sortByKey12Cub(benchmark::State& state) { sortBitsCub(state, 12); }

void select(benchmark::State& state) {
  Case c(state);
  c.time([&] {
    c.exec.select("select", c.n, WordAt{c.in.data()}, HalfOf{c.in.data()}, c.out.data(), c.result);
  });
}
struct IsOdd {
  __host__ __device__ bool operator()(std::uint32_t w) const { return w & 1; }
};
void selectCub(benchmark::State& state) {
  Case c(state);
  const auto n = static_cast<std::int64_t>(c.n);
  c.time([&] {
    c.cub([&](void* s, std::size_t& b) {
      return cub::DeviceSelect::If(s, b, c.in.data(), c.out.data(), c.result.data(), n, IsOdd{},
                                   c.exec.stream());
    });
  });
}

void teams(benchmark::State& state) {
  Case c(state);
  const exec::TeamShape shape{SumOfTeam::teamsFor(c.n), SumOfTeam::kThreads};
  c.time([&] { c.exec.teams("teams", shape, SumOfTeam{c.in.data(), c.n, c.out.data()}); });
}
__global__ void sumOfTeamKernel(SumOfTeam kernel) {
  __shared__ std::uint32_t sums[SumOfTeam::kThreads];
  sums[threadIdx.x] = kernel.sumOf(static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) kernel.out[blockIdx.x] = SumOfTeam::total(sums);
}
void teamsBare(benchmark::State& state) {
  Case c(state);
  const int blocks = SumOfTeam::teamsFor(c.n);
  c.time([&] {
    sumOfTeamKernel<<<blocks, SumOfTeam::kThreads, 0, c.exec.stream()>>>(
        SumOfTeam{c.in.data(), c.n, c.out.data()});
  });
}

// The largest size only where its arrays fit.
void add(const char* name, void (*run)(benchmark::State&)) {
  constexpr std::size_t kMostBytesPerItem = 40;
  for (const std::int64_t n : kSizes) {
    if (static_cast<std::size_t>(n) * kMostBytesPerItem > exec::cudaMemory().first) continue;
    benchmark::RegisterBenchmark((std::string("cuda/") + name).c_str(), run)
        ->Arg(n)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

[[maybe_unused]] const bool registered = [] {
  if (!exec::cudaStatus().usable) return false;
  add("forEach", forEach), add("forEach_bare", forEachBare);
  add("fill", fill), add("fill_bare", fillBare);
  add("reduce", reduce), add("reduce_cub", reduceCub);
  add("offsets", offsets), add("offsets_cub", offsetsCub);
  add("sortByKey", sortByKey), add("sortByKey_cub", sortByKeyCub);
  add("sortByKey_12_bits", sortByKey12), add("sortByKey_12_bits_cub", sortByKey12Cub);
  add("select", select), add("select_cub", selectCub);
  add("teams", teams), add("teams_bare", teamsBare);
  return true;
}();

}  // namespace
}  // namespace cellscope::bench
