#include "sim/exec/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "sim/exec/memory.h"
#include "sim/exec/threads.h"

namespace cellscope::exec {
namespace {

constexpr int kChains = 12;  // independent chains hide the latency of each operation
constexpr int kRounds = 200000;

// Additions and multiplications on kChains vectors; always inlined, so that each caller below
// compiles it for its own instruction set. Returns a value that depends on all of them.
template <class V>
[[gnu::always_inline]] inline float chains(float seed) {
  V x[kChains];
  for (int k = 0; k < kChains; ++k) x[k] = V{} + seed * static_cast<float>(k + 1);
  const V a = V{} + 0.999999f, b = V{} + 1e-6f;
  for (int r = 0; r < kRounds; ++r) {
#pragma GCC unroll 12  // so that the vectors stay in registers at -O2 as well
    for (int k = 0; k < kChains; ++k) x[k] = k % 2 ? x[k] + b : x[k] * a;
  }
  float sum = 0;
  for (int k = 0; k < kChains; ++k) sum += x[k][0];
  return sum;
}

typedef float Vec4f __attribute__((vector_size(16)));
float chains4(float seed) { return chains<Vec4f>(seed); }
struct Width {
  int lanes;
  float (*run)(float);
};

#if defined(__x86_64__)
typedef float Vec8f __attribute__((vector_size(32)));
typedef float Vec16f __attribute__((vector_size(64)));
__attribute__((target("avx2"))) float chains8(float seed) { return chains<Vec8f>(seed); }
__attribute__((target("avx512f,prefer-vector-width=512"))) float chains16(float seed) {
  return chains<Vec16f>(seed);
}

Width widest() {
  if (__builtin_cpu_supports("avx512f")) return {16, chains16};
  if (__builtin_cpu_supports("avx2")) return {8, chains8};
  return {4, chains4};
}
#else
Width widest() { return {4, chains4}; }
#endif

std::string processorName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

// Lanes times operations per second of all threads together: the best of five tries.
double measuredRate(int threads, const Width& width) {
  double best = 0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    std::vector<float> results(static_cast<std::size_t>(threads));
    std::vector<std::thread> pool;
    const auto start = std::chrono::steady_clock::now();
    for (float& r : results) pool.emplace_back([&r, &width] { r = width.run(1.5f); });
    for (std::thread& t : pool) t.join();
    const std::chrono::duration<double> s = std::chrono::steady_clock::now() - start;
    volatile float kept = results[0];  // the work must not be left out
    static_cast<void>(kept);
    best = std::max(best, 1.0 * width.lanes * kChains * kRounds * threads / s.count());
  }
  return best;
}

}  // namespace

DeviceLimits deviceLimits(const ExecConfig& config) {
  if (config.backend == Backend::cuda) {
    requireCuda();
    if constexpr (kCudaBuilt) return cudaLimits(config.device);
  }
  const int threads = threadsFor(config.threads);
  const Width width = widest();
  DeviceLimits limits;
  limits.device = processorName();
  limits.instructionRate = measuredRate(threads, width);
  limits.source =
      fmt::format("measured with {} thread{}: single-precision adds and multiplies, {} lanes",
                  threads, threads == 1 ? "" : "s", width.lanes);
  return limits;
}

}  // namespace cellscope::exec
