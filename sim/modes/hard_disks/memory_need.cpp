#include "sim/modes/hard_disks/memory_need.h"

#include <fmt/format.h>

#include <string>

#include "sim/api/error.h"
#include "sim/exec/host_memory.h"
#include "sim/exec/memory.h"

namespace cellscope {
namespace {

constexpr const char* kGpu = "GPU memory";
constexpr std::size_t kPerDisk = 64;  // positions and ids on their way into cells, on the host

// Positions, ids and counts, once.
std::size_t cellBytes(const GridInfo& g) {
  return g.slotCount() * (sizeof(Vec2) + sizeof(std::uint32_t)) + g.cellCount();
}

}  // namespace

void checkMemory(std::int64_t n, std::size_t needed, std::size_t free, const char* where) {
  if (needed <= free) return;
  constexpr double kGib = 1 << 30;
  const double share = 0.95 * static_cast<double>(free) / static_cast<double>(needed);
  throw RunError(fmt::format(
      "out of {}: {} disks at this packing need {:.2f} GiB, {:.2f} GiB are free; the largest 'n' "
      "that fits is about {}; a larger 'packing' needs fewer cells{}",
      where, n, static_cast<double>(needed) / kGib, static_cast<double>(free) / kGib,
      static_cast<std::int64_t>(share * static_cast<double>(n)),
      where == std::string(kGpu) ? ", and --backend cpu takes the memory of the host" : ""));
}

void checkMemory(std::int64_t n, const GridInfo& grid, Backend backend) {
  const std::size_t cells = cellBytes(grid);
  std::size_t host = cells + kPerDisk * static_cast<std::size_t>(n);
  if (backend == Backend::cuda)
    checkMemory(n, 2 * cells, exec::cudaMemory().first, kGpu);  // the present cells and the next
  else
    host += cells;  // disks that leave their cells take as much again, once the copy here is gone
  checkMemory(n, host, exec::hostMemory(), "memory");
}

}  // namespace cellscope
