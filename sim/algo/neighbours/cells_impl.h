// The standard cell list, written once over exec.
#pragma once
#include <bit>

#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/algo/neighbours/cells.h"
#include "sim/exec/double_buffer.h"

namespace cellscope {

template <class Exec>
class CellList final : public ListBuilder {
 public:
  explicit CellList(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void prepare(const ListInput& in) override {
    grid_ = gridFor(in.box, in.table.longest(), in.n);
    const auto cells = static_cast<std::size_t>(grid_.count());
    if (first_.size() < cells + 1) {
      first_ = {};
      first_ = exec::Array<std::uint32_t>(Exec::backend, cells + 1);
    }
    if (sorted_.size() < in.n) {
      sorted_ = {}, cell_ = {}, slot_ = {};
      sorted_ = exec::Array<ParticleRecord>(Exec::backend, in.n);
      cell_ = exec::DoubleBuffer<std::uint32_t>(Exec::backend, in.n);
      slot_ = exec::DoubleBuffer<std::uint32_t>(Exec::backend, in.n);
    }
  }

  void build(const ListInput& in, const ListView& out) override {
    const auto n = static_cast<std::uint32_t>(in.n);
    const auto cells = static_cast<std::uint32_t>(grid_.count());
    exec_.forEach("cells: index", in.n,
                  CellOfSlot{in.particles, grid_, cell_.data(), slot_.data()});
    exec_.sortByKey("cells: sort", cell_, slot_, in.n,
                    {0, static_cast<int>(std::bit_width(cells))});
    exec_.forEach("cells: fill", in.n + 1,
                  FillCells{in.particles, cell_.data(), slot_.data(), sorted_.data(), first_.data(),
                            n, cells});
    exec_.forEach("list from cells", in.n,
                  ListFromCells{grid_, first_.data(), sorted_.data(), slot_.data(),
                                RecordBox(in.box), in.table, out, in.checks});
  }

  std::size_t bytes() const override {
    return first_.bytes() + sorted_.bytes() + cell_.bytes() + slot_.bytes();
  }

 private:
  exec::Shared shared_;
  Exec& exec_;
  CellGrid grid_;
  exec::Array<std::uint32_t> first_;
  exec::Array<ParticleRecord> sorted_;
  exec::DoubleBuffer<std::uint32_t> cell_, slot_;
};

}  // namespace cellscope
