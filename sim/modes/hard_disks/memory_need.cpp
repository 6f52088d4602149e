#include "sim/modes/hard_disks/memory_need.h"

#include "sim/algo/mpmc/engine.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/api/frame.h"
#include "sim/exec/workspace.h"
#include "sim/layers/packer.h"

namespace cellscope {
namespace {

// Lists on the host while disks are on their way into cells: coordinates as they are placed and as
// they are scaled, ids, and the order in which they were found.
constexpr std::size_t kListsPerDisk = 64;

// A frame of disks: bond order of every slot, and what packs the disks cell by cell.
std::size_t sceneBytes(std::size_t disks, const GridInfo& grid, const ExecConfig& config) {
  return BondArrays::layout(grid.slotCount()).bytes() +
         layers::PackScratch::layout(grid.cellCount()).bytes() +
         exec::scanScratch(grid.cellCount(), config) +
         frameBytes(disks, sizeof(PointInstance), config.backend);
}

}  // namespace

// A box of another size is filled on the host from a copy of the present cells, and the new engine
// stands beside the old one until it is complete.
MemoryNeed diskMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                      BoxHistory history) {
  const auto disks = static_cast<std::size_t>(n);
  const std::size_t cells = DiskCells::layout(grid).bytes();
  const bool gpu = config.backend == Backend::cuda, changing = history == BoxHistory::changing;
  const std::size_t host = kListsPerDisk * disks + (changing ? 2 : 1) * cells;
  MemoryNeed need;
  need.building = (changing ? 2 : 1) * mpmcBytes(grid, config) + (gpu ? 0 : host);
  need.running = need.building;
  if (config.drawn) need.running += sceneBytes(disks, grid, config);
  need.host = gpu ? host : 0;
  return need;
}

void checkMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                 BoxHistory history) {
  requireMemory(n, "disks at this packing", diskMemory(n, grid, config, history), config,
                "; a larger 'packing' needs fewer cells");
}

}  // namespace cellscope
