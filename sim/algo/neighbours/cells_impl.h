// The standard cell list, written once over exec.
#pragma once
#include <bit>

#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/algo/neighbours/cells.h"
#include "sim/exec/double_buffer.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct CellListArrays {
  exec::Array<std::uint32_t> first;
  exec::Array<ParticleRecord> sorted;
  exec::DoubleBuffer<std::uint32_t> cell, slot;

  static exec::Layout<CellListArrays> layout(std::size_t cells, std::size_t n) {
    return {{"first particles", &CellListArrays::first, cells + 1},
            {"sorted particles", &CellListArrays::sorted, n},
            {"cells", &CellListArrays::cell, n},
            {"slots", &CellListArrays::slot, n}};
  }
};

inline CellGrid cellListGrid(const ListInput& in) {
  return gridFor(in.box, in.table.longest(), in.n);
}

template <class Exec>
class CellList final : public ListBuilder {
 public:
  explicit CellList(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void prepare(const ListInput& in) override {
    grid_ = cellListGrid(in);
    const auto cells = static_cast<std::size_t>(grid_.count());
    if (arrays_.first.size() == cells + 1 && arrays_.sorted.size() == in.n) return;
    arrays_ = {};
    arrays_ = CellListArrays::layout(cells, in.n).make(Exec::backend);
  }

  void build(const ListInput& in, const ListView& out) override {
    const auto n = static_cast<std::uint32_t>(in.n);
    const auto cells = static_cast<std::uint32_t>(grid_.count());
    exec_.forEach("cells: index", in.n,
                  CellOfSlot{in.particles, grid_, arrays_.cell.data(), arrays_.slot.data()});
    exec_.sortByKey("cells: sort", arrays_.cell, arrays_.slot, in.n,
                    {0, static_cast<int>(std::bit_width(cells))});
    exec_.forEach("cells: fill", in.n + 1,
                  FillCells{in.particles, arrays_.cell.data(), arrays_.slot.data(),
                            arrays_.sorted.data(), arrays_.first.data(), n, cells});
    exec_.forEach("list from cells", in.n,
                  ListFromCells{grid_, arrays_.first.data(), arrays_.sorted.data(),
                                arrays_.slot.data(), RecordBox(in.box), in.table, out, in.checks});
  }

  std::size_t bytes() const override { return CellListArrays::layout(0, 0).held(arrays_); }

 private:
  exec::Shared shared_;
  Exec& exec_;
  CellGrid grid_;
  CellListArrays arrays_;
};

}  // namespace cellscope
