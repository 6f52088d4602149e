// Verlet lists from a stencilled cell list (S1, Algorithm 1): cells as narrow as the shortest
// reach, and for each type a stencil of the cells that its longest reach needs. On one exec.
// Included by its .cpp and its .cu file. Search runs the fast search of the backend, and what it
// reads without its distances:
//   static void run(Exec&, const ListFromStencils&, std::size_t n)
//   static void walk(Exec&, const ListFromStencils&, std::size_t n)
//   static void sort(Exec&, CellListArrays&, const ListInput&, const TypedCells&)
// As in the paper it is the same on both, by teams (sim/algo/neighbours/team_search.h).
#pragma once
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/stencil/list_kernels.h"
#include "sim/exec/layout.h"

namespace cellscope {

struct StencilArrays {
  CellListArrays cells;
  exec::DoubleBuffer<std::uint32_t> type, order;  // of the search as in the paper
  exec::Array<StencilCell> stencil;
  exec::Array<float> farthest;  // of each of its cells, where that is asked for

  // Distinguished runs of particles: those of each type in each cell.
  static std::size_t runs(const ListInput& in, const ListOptions& options, const CellGrid& grid) {
    const int types = options.how == ListSearch::paper ? 1 : in.table.types;
    return static_cast<std::size_t>(grid.count()) * static_cast<std::size_t>(types);
  }
  static exec::Layout<StencilArrays> layout(const ListInput& in, const ListOptions& options,
                                            const CellGrid& grid, const Stencils& stencils) {
    const bool paper = options.how == ListSearch::paper;
    const std::size_t byType = paper && in.table.types > 1 ? in.n : 0;
    return {{"cells", &StencilArrays::cells,
             CellListArrays::layout(runs(in, options, grid), in.n, false)},
            {"types", &StencilArrays::type, byType},
            {"slots by type", &StencilArrays::order, byType},
            {"stencils", &StencilArrays::stencil, stencils.cells.size()},
            {"longest distances", &StencilArrays::farthest,
             paper && options.longestDistance ? stencils.cells.size() : 0}};
  }
};

inline CellGrid stencilGrid(const ListInput& in, const ListOptions& options) {
  return gridFor(in.box, options.binWidth * static_cast<double>(in.table.shortest()), in.n);
}

template <class Exec, class Search>
class StencilBuilderOn final : public ListBuilder {
 public:
  StencilBuilderOn(exec::Shared shared, const ListOptions& options)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        how_(options),
        threads_(options.threads) {}

  void prepare(const ListInput& in) override {
    grid_ = stencilGrid(in, how_);
    stencils_ = stencilsOf(in.box, grid_, in.table);
    types_ = asInThePaper() ? 1u : static_cast<std::uint32_t>(in.table.types);
    arrays_ = {};
    arrays_ = StencilArrays::layout(in, how_, grid_, stencils_).make(Exec::backend);
    arrays_.stencil.set(stencils_.cells);
    if (arrays_.farthest.size() > 0)
      arrays_.farthest.set(longestDistances(in.box, grid_, stencils_.cells));
  }

  void build(const ListInput& in, const ListView& out) override {
    sortIntoCells(in);
    if (!asInThePaper()) return Search::run(exec_, fromStencils(in, out), in.n);
    threads_.search(
        exec_, in, asPrinted(in, out),
        {"list from stencils, as in the paper", "list from stencils, as in the paper, 2 threads",
         "list from stencils, as in the paper, 4 threads",
         "list from stencils, as in the paper, 8 threads",
         "list from stencils, as in the paper, 16 threads"});
  }

  bool buildWithout(LeftOut part, const ListInput& in, const ListView& out) override {
    sortIntoCells(in);
    const bool walks = part == LeftOut::distances;
    if (asInThePaper()) {
      const ListAsPrinted search = asPrinted(in, out);
      if (walks) threads_.walk(exec_, "stencils walked", in.n, search);
    } else if (walks) {
      Search::walk(exec_, fromStencils(in, out), in.n);
    }
    return true;
  }

  std::string words() const override { return asInThePaper() ? threads_.words() : ""; }
  std::size_t bytes() const override {
    return StencilArrays::layout({}, how_, {}, {}).held(arrays_);
  }
  // Searched as in the paper they have the particles of all types in one row.
  std::optional<BuiltCells> cells() const override {
    return {{grid_, arrays_.cells.first.data(), types_, arrays_.cells.slot.data()}};
  }
  std::vector<StencilCell> searched(const ListInput& in, const ParticleRecord& p) const override {
    return stencilAndCorners(stencils_, p.type, in.box, grid_);
  }

 private:
  bool asInThePaper() const { return how_.how == ListSearch::paper; }
  StencilCellsView view() const {
    StencilCellsView v{grid_,
                       types_,
                       arrays_.cells.first.data(),
                       arrays_.cells.sorted.data(),
                       arrays_.cells.slot.data(),
                       arrays_.stencil.data(),
                       {}};
    for (int t = 0; t <= kMostTypes; ++t) v.stencilOf[t] = stencils_.first[t];
    return v;
  }
  void sortIntoCells(const ListInput& in) {
    Search::sort(exec_, arrays_.cells, in, {grid_, types_});
  }

  ListFromStencils fromStencils(const ListInput& in, const ListView& out) const {
    return {view(), RecordBox(in.box), in.table, out, in.checks};
  }

  // Slots by type: the sort is stable, so that those of a type stay in their order along the curve
  // (S1, section 3.1).
  ListAsPrinted asPrinted(const ListInput& in, const ListView& out) {
    const std::uint32_t* order = nullptr;
    if (in.table.types > 1) {
      arrays_.type.goHome(), arrays_.order.goHome();
      exec_.forEach(
          "stencils: types", in.n,
          CellOfSlot{in.particles, CellGrid{}, 1, arrays_.type.data(), arrays_.order.data()});
      exec_.sortByKey(
          "stencils: by type", arrays_.type, arrays_.order, in.n,
          {0, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(in.table.types - 1)))});
      order = arrays_.order.data();
    }
    return {
        view(),   arrays_.farthest.data(), in.particles, order, RecordBox(in.box), in.table, out,
        in.checks};
  }

  exec::Shared shared_;
  Exec& exec_;
  ListOptions how_;
  SearchThreads threads_;
  CellGrid grid_;
  Stencils stencils_;
  std::uint32_t types_ = 1;
  StencilArrays arrays_;
};

}  // namespace cellscope
