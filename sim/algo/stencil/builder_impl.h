// The stencilled cell list on one exec. Included by its .cpp and its .cu file. Search runs the
// search of the backend:
//   template <class Exec>
//   static void run(Exec&, const ListFromStencils&, std::size_t n)
#pragma once
#include <bit>
#include <utility>

#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/algo/stencil/builder.h"
#include "sim/exec/double_buffer.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct StencilArrays {
  exec::Array<std::uint32_t> first;
  exec::Array<ParticleRecord> sorted;
  exec::DoubleBuffer<std::uint32_t> key, slot;
  exec::Array<StencilCell> stencil;

  static exec::Layout<StencilArrays> layout(std::size_t n, std::size_t runs, std::size_t stencil) {
    return {{"first particles", &StencilArrays::first, runs + 1},
            {"sorted particles", &StencilArrays::sorted, n},
            {"cells", &StencilArrays::key, n},
            {"slots", &StencilArrays::slot, n},
            {"stencils", &StencilArrays::stencil, stencil}};
  }
};

template <class Exec, class Search>
class StencilBuilderOn final : public StencilBuilder {
 public:
  explicit StencilBuilderOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void prepare(const ListInput& in) override {
    grid_ = gridFor(in.box, in.table.shortest(), in.n);
    stencils_ = stencilsOf(in.box, grid_, in.table);
    types_ = static_cast<std::uint32_t>(in.table.types);
    arrays_ = {};
    arrays_ = StencilArrays::layout(in.n, runs(), stencils_.cells.size()).make(Exec::backend);
    arrays_.stencil.set(stencils_.cells);
    homeKey_ = arrays_.key.data(), homeSlot_ = arrays_.slot.data();
  }

  void build(const ListInput& in, const ListView& out) override {
    sortIntoCells(in);
    Search::run(exec_, ListFromStencils{cells(), RecordBox(in.box), in.table, out, in.checks},
                in.n);
  }

  std::size_t bytes() const override { return StencilArrays::layout(0, 0, 0).held(arrays_); }
  const Stencils& stencils() const override { return stencils_; }
  StencilCellsView cells() const override {
    StencilCellsView v{grid_,
                       types_,
                       arrays_.first.data(),
                       arrays_.sorted.data(),
                       arrays_.slot.data(),
                       arrays_.stencil.data(),
                       {}};
    for (int t = 0; t <= kMostTypes; ++t) v.stencilOf[t] = stencils_.first[t];
    return v;
  }

 private:
  std::size_t runs() const { return static_cast<std::size_t>(grid_.count()) * types_; }

  void sortIntoCells(const ListInput& in) {
    // To the buffers that the first build began with, for launches that are recorded.
    if (arrays_.key.data() != homeKey_) arrays_.key.swap();
    if (arrays_.slot.data() != homeSlot_) arrays_.slot.swap();
    const auto runCount = static_cast<std::uint32_t>(runs());
    exec_.forEach("stencils: index", in.n,
                  TypeAndCellOfSlot{in.particles, grid_, arrays_.key.data(), arrays_.slot.data()});
    exec_.sortByKey("stencils: sort", arrays_.key, arrays_.slot, in.n,
                    {0, static_cast<int>(std::bit_width(runCount))});
    exec_.forEach(
        "stencils: fill", in.n + 1,
        FillCells{in.particles, arrays_.key.data(), arrays_.slot.data(), arrays_.sorted.data(),
                  arrays_.first.data(), static_cast<std::uint32_t>(in.n), runCount});
  }
  exec::Shared shared_;
  Exec& exec_;
  CellGrid grid_;
  Stencils stencils_;
  std::uint32_t types_ = 1;
  StencilArrays arrays_;
  std::uint32_t *homeKey_ = nullptr, *homeSlot_ = nullptr;
};

}  // namespace cellscope
