// Finds disks and packs what is seen of them, in the memory where the disks are.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/algo/mpmc/engine.h"
#include "sim/layers/layer.h"
#include "sim/modes/hard_disks/disk_functors.h"

namespace cellscope {

class DiskPainter {
 public:
  virtual ~DiskPainter() = default;
  virtual layers::Packer& packer() = 0;
  virtual std::optional<SlotPlace> find(const DiskCellsView& cells, std::uint32_t id) = 0;
  virtual std::vector<KernelTime> kernelTimes() const = 0;
};

std::unique_ptr<DiskPainter> makeDiskPainterCpu(int threads);
std::unique_ptr<DiskPainter> makeDiskPainterCuda(int device);  // throws RunError without CUDA
inline std::unique_ptr<DiskPainter> makeDiskPainter(const ExecConfig& c) {
  return c.backend == Backend::cuda ? makeDiskPainterCuda(c.device) : makeDiskPainterCpu(c.threads);
}

}  // namespace cellscope
