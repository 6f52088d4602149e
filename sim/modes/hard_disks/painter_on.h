// DiskPainter over one exec: included by painter_cpu.cpp and painter_cuda.cu only.
#pragma once
#include "sim/layers/packer_on.h"
#include "sim/modes/hard_disks/painter.h"

namespace cellscope {

template <class Exec>
class DiskPainterOn final : public DiskPainter {
 public:
  explicit DiskPainterOn(int argument) : exec_(argument), packer_(exec_) {}

  layers::Packer& packer() override { return packer_; }

  std::optional<SlotPlace> find(const DiskCellsView& cells, std::uint32_t id) override {
    const unsigned long long slot = exec_.template reduce<unsigned long long>(
        "find disk", cells.grid.slotCount(), FindDisk::kNone, FindDisk{cells, id}, SmallerSlot{});
    if (slot == FindDisk::kNone) return std::nullopt;
    return placeOfSlot(cells.grid, static_cast<std::size_t>(slot));
  }

  std::vector<KernelTime> kernelTimes() const override { return exec_.profile().read(); }

 private:
  mutable Exec exec_;
  layers::PackerOn<Exec> packer_;
};

}  // namespace cellscope
