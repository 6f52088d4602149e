// Packs what is seen of the hard disks into frame buffers, in the memory where the disks are.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "sim/algo/mpmc/engine.h"
#include "sim/modes/hard_disks/disk_functors.h"

namespace cellscope {

// Bond order per slot, in the backend's memory; only what the colour needs is not null.
struct DiskValues {
  const Vec2* psi6 = nullptr;
  const std::uint8_t* neighbours = nullptr;
  const float* density = nullptr;
};

class DiskPainter {
 public:
  virtual ~DiskPainter() = default;
  // n PointInstances, cell by cell, in each in order of slot.
  virtual std::shared_ptr<const FrameBuffer> disks(const DiskCellsView& cells,
                                                   const GridPlacement& placement,
                                                   DiskColour colour, const DiskValues& values,
                                                   std::size_t n) = 0;
  // (m + 1)^2 BoxInstances.
  virtual std::shared_ptr<const FrameBuffer> cells(const DiskCellsView& cells,
                                                   const GridPlacement& placement,
                                                   CellColour colour, int activeSet) = 0;
  virtual std::optional<SlotPlace> find(const DiskCellsView& cells, std::uint32_t id) = 0;
  virtual std::vector<KernelTime> kernelTimes() const = 0;
  virtual std::size_t bytes() const = 0;  // of all frame buffers and scratch
};

std::unique_ptr<DiskPainter> makeDiskPainterCpu(int threads);
std::unique_ptr<DiskPainter> makeDiskPainterCuda(int device);  // throws RunError without CUDA
inline std::unique_ptr<DiskPainter> makeDiskPainter(const ExecConfig& c) {
  return c.backend == Backend::cuda ? makeDiskPainterCuda(c.device) : makeDiskPainterCpu(c.threads);
}

}  // namespace cellscope
