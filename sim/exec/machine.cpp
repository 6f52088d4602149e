#include "sim/exec/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <thread>

#include "sim/exec/memory.h"

namespace cellscope::exec {

std::size_t numberBehind(const std::string& file, const std::string& wanted) {
  std::ifstream in(file);
  std::string rest;
  for (std::string word; in >> word; std::getline(in, rest))
    if (std::size_t number = 0; word == wanted && in >> number) return number;
  return 0;
}

// What is left of a limit.
static std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

static std::size_t leftToProcess() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return difference(limit.rlim_cur, pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

std::size_t hostMemory() {
  // Linux: free memory and caches that would be given up.
  const std::size_t kibibytes = numberBehind("/proc/meminfo", "MemAvailable:");
  return std::min(
      {kibibytes ? kibibytes * 1024 : kUnknown, memoryLeft(controlGroups()), leftToProcess()});
}

// "max" where there is no limit. The page cache counts as used there, but is given up when memory
// is needed.
static std::size_t memoryLeftIn(const std::string& group) {
  std::size_t limit = 0, used = 0;
  const std::string memory = group + "/memory.";
  if (!(std::ifstream(memory + "max") >> limit) || !(std::ifstream(memory + "current") >> used))
    return kUnknown;
  const std::size_t cached =
      numberBehind(memory + "stat", "inactive_file") + numberBehind(memory + "stat", "active_file");
  return difference(limit, difference(used, cached));
}

std::vector<std::string> controlGroups(const std::string& membership, const std::string& root) {
  std::vector<std::string> groups;
  std::ifstream in(membership);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("0::/", 0) != 0) continue;
    std::string path = line.substr(3);
    for (; path.size() > 1; path.resize(std::max<std::size_t>(1, path.rfind('/'))))
      groups.push_back(root + path);
  }
  groups.push_back(root);
  return groups;
}

std::size_t memoryLeft(const std::vector<std::string>& groups) {
  std::size_t left = kUnknown;
  for (const std::string& group : groups) left = std::min(left, memoryLeftIn(group));
  return left;
}

int processorQuota(const std::vector<std::string>& groups) {
  int quota = 0;
  for (const std::string& group : groups) {
    double time = 0, period = 0;  // "max 100000" where there is no limit
    std::ifstream in(group + "/cpu.max");
    if (!(in >> time >> period) || !(time > 0) || !(period > 0)) continue;
    const int here = static_cast<int>(std::min(std::ceil(time / period), 1e6));
    quota = quota == 0 ? here : std::min(quota, here);
  }
  return quota;
}

// A tenth of the time of a thread of the usual priority where both want the same processor.
constexpr int kNicer = 10, kNicest = 19;

static int allowedProcessors() {
  for (int room = 1024; room <= 1 << 20; room *= 2) {  // larger machines need larger sets
    cpu_set_t* set = CPU_ALLOC(room);
    const std::size_t bytes = CPU_ALLOC_SIZE(room);
    const int count = ::sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

int availableThreads() {
  const int allowed = allowedProcessors(), quota = processorQuota(controlGroups());
  return std::max(1, quota > 0 ? std::min(allowed, quota) : allowed);
}

int threadsFor(int asked) { return asked > 0 ? asked : availableThreads(); }

int reserveThreads(int asked) {
  using tbb::global_control;
  static std::mutex mutex;
  static std::unique_ptr<global_control> reserved;
  const int threads = threadsFor(asked);
  const auto wanted = static_cast<std::size_t>(threads);
  const std::lock_guard lock(mutex);
  if (wanted > global_control::active_value(global_control::max_allowed_parallelism))
    // The smallest control holds: the earlier one goes after the new one is there.
    reserved = std::make_unique<global_control>(global_control::max_allowed_parallelism, wanted);
  return threads;
}

// On Linux a niceness belongs to a thread, and new threads begin with that of the one that makes
// them.
void lowerThreadPriority() {
  const int now = ::getpriority(PRIO_PROCESS, 0);
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, std::min(now + kNicer, kNicest)));
}

namespace {

bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool hasAvx512() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

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

std::vector<std::string> instructionSets() {
  std::vector<std::string> all = {"scalar", "sse2"};
  if (hasAvx2()) all.push_back("avx2");
  if (hasAvx512()) all.push_back("avx512");
  return all;
}

std::string instructionSet(const std::string& name) {
  const char* fromEnvironment = std::getenv("CELLSCOPE_ISA");
  const std::string wanted = !name.empty() ? name : fromEnvironment ? fromEnvironment : "";
  const std::vector<std::string> all = instructionSets();
  if (wanted.empty()) return all.back();
  if (std::find(all.begin(), all.end(), wanted) == all.end())
    throw InputError(
        "instruction set '{}' (CELLSCOPE_ISA) cannot be used on this processor; choose one of: {}",
        wanted, fmt::join(all, ", "));
  return wanted;
}

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
