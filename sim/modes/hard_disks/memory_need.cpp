#include "sim/modes/hard_disks/memory_need.h"

#include "sim/api/frame.h"
#include "sim/base/vec.h"

namespace cellscope {
namespace {

constexpr std::size_t kPerDisk = 64;  // positions and ids on their way into cells, on the host

// Positions, ids and counts, once.
std::size_t cellBytes(const GridInfo& g) {
  return g.slotCount() * (sizeof(Vec2) + sizeof(std::uint32_t)) + g.cellCount();
}

// Bond order of every slot: psi6, number of neighbours, local density.
std::size_t bondBytes(const GridInfo& g) {
  return g.slotCount() * (sizeof(Vec2) + sizeof(std::uint8_t) + sizeof(float));
}

// Where the disks of each cell are packed.
std::size_t packingBytes(const GridInfo& g) { return g.cellCount() * sizeof(std::uint32_t); }

// Counters of the thread blocks: 24 bytes for 4 sets and 16 cells of a set at least.
std::size_t counterBytes(const GridInfo& g) { return 2 * g.cellCount(); }

}  // namespace

// The engine holds the cells once on the CPU (twice where disks may leave them), on CUDA as they
// are and as they will be after the shift. A box of another size is filled on the host from a copy
// of the present cells, and the new engine stands beside the old one until it is complete.
MemoryNeed diskMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                      BoxHistory history) {
  const auto disks = static_cast<std::size_t>(n);
  const std::size_t cells = cellBytes(grid), way = kPerDisk * disks;
  const bool gpu = config.backend == Backend::cuda, changing = history == BoxHistory::changing;
  const std::size_t engine = gpu ? 2 * cells + counterBytes(grid) : cells;
  const std::size_t host = way + (changing ? 2 : 1) * cells;
  MemoryNeed need;
  need.building = (changing ? 2 : 1) * engine + (gpu ? 0 : host);
  need.running = need.building;
  if (config.drawn)
    need.running += bondBytes(grid) + packingBytes(grid) +
                    frameBytes(disks, sizeof(PointInstance), config.backend);
  need.host = gpu ? host : 0;
  return need;
}

void checkMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                 BoxHistory history) {
  requireMemory(n, "disks at this packing", diskMemory(n, grid, config, history), config,
                "; a larger 'packing' needs fewer cells");
}

}  // namespace cellscope
