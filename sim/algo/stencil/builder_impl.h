// The stencilled cell list on one exec. Included by its .cpp and its .cu file.
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
  exec::DoubleBuffer<std::uint32_t> key, slot, type, order;
  exec::Array<StencilCell> stencil;

  static exec::Layout<StencilArrays> layout(std::size_t n, std::size_t runs, std::size_t stencil,
                                            bool ordered) {
    const std::size_t byType = ordered ? n : 0;
    return {{"first particles", &StencilArrays::first, runs + 1},
            {"sorted particles", &StencilArrays::sorted, n},
            {"cells", &StencilArrays::key, n},
            {"slots", &StencilArrays::slot, n},
            {"types", &StencilArrays::type, byType},
            {"slots by type", &StencilArrays::order, byType},
            {"stencils", &StencilArrays::stencil, stencil}};
  }
};

template <class Exec>
class StencilBuilderOn final : public StencilBuilder {
 public:
  explicit StencilBuilderOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void prepare(const ListInput& in) override {
    grid_ = gridFor(in.box, in.table.shortest(), in.n);
    stencils_ = stencilsOf(in.box, grid_, in.table);
    types_ = static_cast<std::uint32_t>(in.table.types);
    arrays_ = {};
    arrays_ =
        StencilArrays::layout(in.n, runs(), stencils_.cells.size(), types_ > 1).make(Exec::backend);
    arrays_.stencil.set(stencils_.cells);
    home_ = {arrays_.key.data(), arrays_.slot.data(), arrays_.type.data(), arrays_.order.data()};
  }

  void build(const ListInput& in, const ListView& out) override {
    goHome();
    sortIntoCells(in);
    if (types_ > 1) orderByType(in);
    exec_.forEach(
        "list from stencils", in.n,
        ListFromStencils{cells(), in.particles, types_ > 1 ? arrays_.order.data() : nullptr,
                         RecordBox(in.box), in.table, out, in.checks},
        kGrain);
  }

  std::size_t bytes() const override { return StencilArrays::layout(0, 0, 0, true).held(arrays_); }
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
  static constexpr std::size_t kGrain = 128;  // searches are long

  std::size_t runs() const { return static_cast<std::size_t>(grid_.count()) * types_; }

  // To the buffers that the first build began with, for launches that are recorded.
  void goHome() {
    if (arrays_.key.data() != home_.key) arrays_.key.swap();
    if (arrays_.slot.data() != home_.slot) arrays_.slot.swap();
    if (arrays_.type.data() != home_.type) arrays_.type.swap();
    if (arrays_.order.data() != home_.order) arrays_.order.swap();
  }
  void sortIntoCells(const ListInput& in) {
    const auto runCount = static_cast<std::uint32_t>(runs());
    exec_.forEach(
        "stencils: index", in.n,
        CellAndTypeOfSlot{in.particles, grid_, types_, arrays_.key.data(), arrays_.slot.data()});
    exec_.sortByKey("stencils: sort", arrays_.key, arrays_.slot, in.n,
                    {0, static_cast<int>(std::bit_width(runCount))});
    exec_.forEach(
        "stencils: fill", in.n + 1,
        FillCells{in.particles, arrays_.key.data(), arrays_.slot.data(), arrays_.sorted.data(),
                  arrays_.first.data(), static_cast<std::uint32_t>(in.n), runCount});
  }
  void orderByType(const ListInput& in) {
    exec_.forEach("stencils: types", in.n,
                  TypeOfSlot{in.particles, arrays_.type.data(), arrays_.order.data()});
    exec_.sortByKey("stencils: by type", arrays_.type, arrays_.order, in.n,
                    {0, static_cast<int>(std::bit_width(types_ - 1))});
  }

  struct Home {
    std::uint32_t *key = nullptr, *slot = nullptr, *type = nullptr, *order = nullptr;
  };

  exec::Shared shared_;
  Exec& exec_;
  CellGrid grid_;
  Stencils stencils_;
  std::uint32_t types_ = 1;
  StencilArrays arrays_;
  Home home_;
};

}  // namespace cellscope
