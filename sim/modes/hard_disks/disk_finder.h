// Finds disks and packs what is seen of them, in the memory where the disks are.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/algo/mpmc/engine.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/exec/context.h"
#include "sim/layers/layer.h"
#include "sim/modes/hard_disks/disk_functors.h"

namespace cellscope {

// Finds disks by identity in the cells, and owns the packer that fills their layers.
class DiskFinder {
 public:
  virtual ~DiskFinder() = default;
  virtual layers::Packer& packer() = 0;
  // Disks of these ids, in their order, in one pass over all slots for every FindDisks::kMost of
  // them; slot kNone: there is no such disk.
  virtual std::vector<FoundDisk> find(const DiskCellsView& cells, const BondOrderView& order,
                                      const std::vector<std::uint32_t>& ids) = 0;
};

std::unique_ptr<DiskFinder> makeDiskFinderCpu(const exec::Shared& exec);
std::unique_ptr<DiskFinder> makeDiskFinderCuda(const exec::Shared& exec);  // builds with CUDA only
inline std::unique_ptr<DiskFinder> makeDiskFinder(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeDiskFinderCuda(exec);
  return makeDiskFinderCpu(exec);
}

}  // namespace cellscope
