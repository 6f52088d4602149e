// DiskPainter over one exec: included by painter_cpu.cpp and painter_cuda.cu only.
#pragma once
#include <utility>

#include "sim/exec/device_value.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/modes/hard_disks/painter.h"

namespace cellscope {

template <class Exec>
class DiskPainterOn final : public DiskPainter {
 public:
  explicit DiskPainterOn(exec::Shared shared)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        pool_(std::make_shared<exec::PooledBuffer::Pool>(Exec::backend)) {}

  std::shared_ptr<const FrameBuffer> disks(const DiskCellsView& cells,
                                           const GridPlacement& placement, DiskColour colour,
                                           const DiskValues& values, std::size_t n) override {
    auto buffer = pool_->get(n * sizeof(PointInstance));
    const PackDisk pack{cells,
                        placement,
                        colour,
                        values.psi6,
                        values.neighbours,
                        values.density,
                        buffer->items<PointInstance>()};
    exec_.forEach("pack disks", cells.grid.cellCount(), pack, 1024);
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
    exec_.reduce("find disk", cells.grid.slotCount(), FindDisk::kNone, FindDisk{cells, id},
                 SmallerSlot{}, found_);
    const unsigned long long slot = exec_.read(found_);
    if (slot == FindDisk::kNone) return std::nullopt;
    return placeOfSlot(cells.grid, static_cast<std::size_t>(slot));
  }

  std::size_t bytes() const override { return pool_->bytes(); }

 private:
  exec::Shared shared_;
  Exec& exec_;
  std::shared_ptr<exec::PooledBuffer::Pool> pool_;
  exec::DeviceValue<unsigned long long> found_{Exec::backend};
};

}  // namespace cellscope
