// Finds disks and packs what is seen of them, in the memory where the disks are.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/algo/mpmc/engine.h"
#include "sim/exec/context.h"
#include "sim/layers/layer.h"
#include "sim/modes/hard_disks/disk_functors.h"

namespace cellscope {

class DiskPainter {
 public:
  virtual ~DiskPainter() = default;
  virtual layers::Packer& packer() = 0;
  virtual std::optional<SlotPlace> find(const DiskCellsView& cells, std::uint32_t id) = 0;
};

std::unique_ptr<DiskPainter> makeDiskPainterCpu(const exec::Shared& exec);
std::unique_ptr<DiskPainter> makeDiskPainterCuda(
    const exec::Shared& exec);  // builds with CUDA only
inline std::unique_ptr<DiskPainter> makeDiskPainter(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeDiskPainterCuda(exec);
  return makeDiskPainterCpu(exec);
}

}  // namespace cellscope
