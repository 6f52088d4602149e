#include "sim/algo/stencil/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

struct EachInTurn {
  static constexpr std::size_t kGrain = 128;  // searches are long

  static void run(auto& exec, const ListFromStencils& list, std::size_t n) {
    exec.forEach("list from stencils", n, list, kGrain);
  }
  static void walk(auto& exec, const ListFromStencils& list, std::size_t n) {
    exec.forEach("stencils walked", n, WalkStencilRuns{list}, kGrain);
  }
  static void sort(auto& exec, CellListArrays& to, const ListInput& in, const TypedCells& cells) {
    to.sort(exec, {"stencils: index", "stencils: sort", "stencils: fill"}, in.particles, in.n,
            cells.grid, cells.count(),
            cells.types > 1 ? static_cast<std::uint32_t>(cells.grid.count()) : 0);
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeStencilBuilderCpu(const exec::Shared& exec,
                                                   const ListOptions& options) {
  return std::make_unique<StencilBuilderOn<exec::CpuExec, EachInTurn>>(exec, options);
}

std::size_t stencilBytes(const ListInput& input, const ListOptions& options) {
  const CellGrid grid = stencilGrid(input, options);
  return StencilArrays::layout(input, options, grid, stencilsOf(input.box, grid, input.table))
      .bytes();
}

}  // namespace cellscope
