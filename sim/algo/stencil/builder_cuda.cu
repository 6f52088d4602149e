#include "sim/exec/cuda_exec.cuh"
//
#include <algorithm>

#include "sim/algo/neighbours/team_search.cuh"
#include "sim/algo/stencil/builder_impl.h"
#include "sim/algo/stencil/walk_by_rows.cuh"

namespace cellscope {
namespace {

struct ByRows {
  static void run(exec::CudaExec& exec, const ListFromStencils& list, std::size_t n) {
    if (list.checks) return exec.forEach("list from stencils, checks counted", n, list);
    const Groups g(list.cells.grid, n);
    exec.launch("list from stencils",
                [&] { listByRows<0><<<g.groups, 32, 0, exec.stream()>>>(list, g.together); });
  }
  static void walk(exec::CudaExec& exec, const WalkStencilRuns& walk, std::size_t n) {
    const Groups g(walk.of.cells.grid, n);
    exec.launch("stencils walked",
                [&] { walkByRows<0><<<g.groups, 32, 0, exec.stream()>>>(walk, g.together); });
  }

 private:
  // Cells next to each other that a warp has.
  struct Groups {
    std::int32_t together;
    unsigned groups;
    Groups(const CellGrid& grid, std::size_t n) {
      constexpr double kMostLanes = 29;  // on the average, so that few groups have more than 32
      const double perCell = static_cast<double>(n) / grid.count();
      together = static_cast<std::int32_t>(
          std::clamp(kMostLanes / perCell, 1.0, static_cast<double>(grid.cells[0])));
      groups = static_cast<unsigned>(groupsOf(grid, together));
    }
  };
};

}  // namespace

std::unique_ptr<ListBuilder> makeStencilBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options) {
  return std::make_unique<StencilBuilderOn<exec::CudaExec, ByRows>>(exec, options);
}

}  // namespace cellscope
