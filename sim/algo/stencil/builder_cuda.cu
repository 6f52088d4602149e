#include "sim/exec/cuda_exec.cuh"
//
#include <algorithm>

#include "sim/algo/stencil/builder_impl.h"
#include "sim/algo/stencil/list_by_rows.cuh"

namespace cellscope {
namespace {

struct ByRows {
  static void run(exec::CudaExec& exec, const ListFromStencils& list, std::size_t n) {
    if (list.checks) return exec.forEach("list from stencils, checks counted", n, list);
    const CellGrid& grid = list.cells.grid;
    constexpr double kMostLanes = 29;  // on the average, so that few groups have more than 32
    const double perCell = static_cast<double>(n) / grid.count();
    const auto together = static_cast<std::int32_t>(
        std::clamp(kMostLanes / perCell, 1.0, static_cast<double>(grid.cells[0])));
    const std::int32_t groups = groupsOf(grid, together);
    const auto blocks = (static_cast<unsigned>(groups) + kLaneWarps - 1) / kLaneWarps;
    exec.launch("list from stencils", [&] {
      listByRows<0><<<blocks, 32 * kLaneWarps, 0, exec.stream()>>>(list, groups, together);
    });
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeStencilBuilderCuda(const exec::Shared& exec, ListSearch search) {
  return std::make_unique<StencilBuilderOn<exec::CudaExec, ByRows>>(exec, search);
}

}  // namespace cellscope
