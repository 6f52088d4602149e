// DiskPainter over one exec: included by painter_cpu.cpp and painter_cuda.cu only.
#pragma once
#include "sim/exec/memory.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/modes/hard_disks/painter.h"

namespace cellscope {

template <class Exec>
class DiskPainterOn final : public DiskPainter {
 public:
  explicit DiskPainterOn(int argument)
      : exec_(argument), pool_(std::make_shared<exec::PooledBuffer::Pool>(Exec::backend)) {}

  std::shared_ptr<const FrameBuffer> disks(const DiskCellsView& cells,
                                           const GridPlacement& placement, DiskColour colour,
                                           const DiskValues& values, std::size_t n) override {
    auto buffer = pool_->get(n * sizeof(PointInstance));
    const std::size_t cellCount = cells.grid.cellCount();
    if (first_.size() < cellCount) first_ = exec::Array<std::uint32_t>(Exec::backend, cellCount);
    exec_.forEach("count disks", cellCount, CountDisks{cells.count, first_.data()}, 16384);
    exec_.exclusiveScan("place disks", first_.data(), first_.data(), cellCount);
    const PackDisk pack{cells,
                        placement,
                        colour,
                        values.psi6,
                        values.neighbours,
                        values.density,
                        first_.data(),
                        n,
                        buffer->items<PointInstance>()};
    exec_.forEach("pack disks", cellCount, pack, 1024);
    exec_.synchronize();
    return buffer;
  }

  std::shared_ptr<const FrameBuffer> cells(const DiskCellsView& cells,
                                           const GridPlacement& placement, CellColour colour,
                                           int activeSet) override {
    const auto side = static_cast<std::size_t>(cells.grid.m + 1);
    auto buffer = pool_->get(side * side * sizeof(BoxInstance));
    const PackCell pack{cells, placement, colour, activeSet, buffer->items<BoxInstance>()};
    exec_.forEach("pack cells", side * side, pack, 4096);
    exec_.synchronize();
    return buffer;
  }

  std::optional<SlotPlace> find(const DiskCellsView& cells, std::uint32_t id) override {
    const unsigned long long slot = exec_.template reduce<unsigned long long>(
        "find disk", cells.grid.slotCount(), FindDisk::kNone, FindDisk{cells, id}, SmallerSlot{});
    if (slot == FindDisk::kNone) return std::nullopt;
    return placeOfSlot(cells.grid, static_cast<std::size_t>(slot));
  }

  std::vector<KernelTime> kernelTimes() const override { return exec_.profile().read(); }
  std::size_t bytes() const override { return pool_->bytes() + first_.bytes(); }

 private:
  mutable Exec exec_;
  exec::Array<std::uint32_t> first_;  // of each cell: where its disks are packed
  std::shared_ptr<exec::PooledBuffer::Pool> pool_;
};

}  // namespace cellscope
