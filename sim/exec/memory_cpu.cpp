#include "sim/exec/memory_cpu.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sim/api/error.h"

namespace cellscope::exec {

void* allocateHost(std::size_t bytes) {
  const std::size_t rounded = (bytes + 63) / 64 * 64;
  void* p = std::aligned_alloc(64, rounded);
  if (!p)
    throw RunError(
        fmt::format("out of memory: {:.2f} GiB of host memory could not be had; "
                    "use fewer particles",
                    static_cast<double>(bytes) / (1 << 30)));
  return p;
}

void releaseHost(void* p) noexcept { std::free(p); }

}  // namespace cellscope::exec
