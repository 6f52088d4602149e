#include "sim/modes/memory_need.h"

#include <fmt/format.h>

#include "sim/exec/host_memory.h"
#include "sim/exec/memory.h"

namespace cellscope {
namespace {

constexpr const char* kGpu = "GPU memory";

}  // namespace

std::int64_t largestThatFits(std::int64_t n, std::size_t needed, std::size_t have) {
  const double share = static_cast<double>(have) / static_cast<double>(std::max(needed, have));
  return static_cast<std::int64_t>(0.95 * share * static_cast<double>(n));
}

void requireBytes(std::int64_t n, const char* what, std::size_t needed, std::size_t have,
                  const char* where, const char* advice) {
  if (needed <= have) return;
  constexpr double kGib = 1 << 30;
  throw RunError(fmt::format(
      "out of {}: {} {} need {:.2f} GiB, {:.2f} GiB are free; the largest 'n' that fits is about "
      "{}{}{}",
      where, n, what, static_cast<double>(needed) / kGib, static_cast<double>(have) / kGib,
      largestThatFits(n, needed, have), advice,
      where == std::string(kGpu) ? "; --backend cpu takes the memory of the host" : ""));
}

// The arrays that there are now are given back once the new state is made.
void requireMemory(std::int64_t n, const char* what, const MemoryNeed& need,
                   const ExecConfig& config, const char* advice) {
  const bool gpu = config.backend == Backend::cuda;
  if (gpu) exec::useCudaDevice(config.device);
  const char* where = gpu ? kGpu : "memory";
  const std::size_t free = gpu ? exec::cudaMemory().first : exec::hostMemory();
  requireBytes(n, what, need.building, free, where, advice);
  const std::size_t held = exec::memoryUse(config.backend).now;
  const std::size_t have = free > ~held ? free : free + held;  // an unknown limit is the largest
  requireBytes(n, what, need.running, have, where, advice);
  if (gpu) requireBytes(n, what, need.host, exec::hostMemory(), "memory", advice);
}

}  // namespace cellscope
