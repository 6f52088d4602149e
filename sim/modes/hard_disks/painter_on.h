// DiskPainter over one exec: included by painter_cpu.cpp and painter_cuda.cu only.
#pragma once
#include <utility>

#include "sim/exec/device_value.h"
#include "sim/layers/packer_on.h"
#include "sim/modes/hard_disks/painter.h"

namespace cellscope {

template <class Exec>
class DiskPainterOn final : public DiskPainter {
 public:
  explicit DiskPainterOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)), packer_(exec_) {}

  layers::Packer& packer() override { return packer_; }

  std::optional<SlotPlace> find(const DiskCellsView& cells, std::uint32_t id) override {
    exec_.reduce("find disk", cells.grid.slotCount(), FindDisk::kNone, FindDisk{cells, id},
                 SmallerSlot{}, found_);
    const unsigned long long slot = exec_.read(found_);
    if (slot == FindDisk::kNone) return std::nullopt;
    return placeOfSlot(cells.grid, static_cast<std::size_t>(slot));
  }

 private:
  exec::Shared shared_;
  Exec& exec_;
  layers::PackerOn<Exec> packer_;
  exec::DeviceValue<unsigned long long> found_{Exec::backend};
};

}  // namespace cellscope
