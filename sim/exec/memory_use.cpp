// How much memory the arrays of this process hold.
#include <atomic>

#include "sim/exec/copied.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {
namespace {

struct Counter {
  std::atomic<std::size_t> now{0}, peak{0};
};

Counter& counterOf(Backend where) {
  static Counter host, gpu;
  return where == Backend::cpu ? host : gpu;
}

std::atomic<std::size_t> toHost{0};

}  // namespace

std::size_t copiedToHost() { return toHost; }
void countCopyToHost(std::size_t bytes) noexcept { toHost += bytes; }

void countMemory(Backend where, std::ptrdiff_t bytes) noexcept {
  Counter& c = counterOf(where);
  const auto change = static_cast<std::size_t>(bytes);  // wraps round for what is released
  const std::size_t now = c.now.fetch_add(change) + change;
  std::size_t peak = c.peak;
  while (now > peak && !c.peak.compare_exchange_weak(peak, now)) {
  }
}

MemoryUse memoryUse(Backend where) {
  const Counter& c = counterOf(where);
  return {c.now, c.peak};
}

void forgetPeak(Backend where) {
  Counter& c = counterOf(where);
  c.peak = c.now.load();
}

}  // namespace cellscope::exec
