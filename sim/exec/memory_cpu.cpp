#include "sim/exec/memory_cpu.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sim/base/error.h"
#include "sim/exec/host_memory.h"

namespace cellscope::exec {

void* allocateHost(std::size_t bytes) {
  const std::size_t rounded = (bytes + 63) / 64 * 64;
  void* p = std::aligned_alloc(64, rounded);
  if (!p) {
    const std::size_t free = hostMemory();
    constexpr double kGib = 1 << 30;
    throw OutOfMemory(
        fmt::format("out of memory: {:.2f} GiB more needed, {:.2f} GiB free",
                    static_cast<double>(bytes) / kGib, static_cast<double>(free) / kGib),
        bytes, free);
  }
  return p;
}

void releaseHost(void* p) noexcept { std::free(p); }

}  // namespace cellscope::exec
