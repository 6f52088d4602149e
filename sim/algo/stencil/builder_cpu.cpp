#include "sim/algo/stencil/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeStencilBuilderCpu(const exec::Shared& exec) {
  return std::make_unique<StencilBuilderOn<exec::CpuExec>>(exec);
}

std::size_t stencilBytes(const ListInput& input) {
  const CellGrid grid = gridFor(input.box, input.table.shortest(), input.n);
  const auto types = static_cast<std::size_t>(input.table.types);
  return StencilArrays::layout(input.n, static_cast<std::size_t>(grid.count()) * types,
                               stencilsOf(input.box, grid, input.table).cells.size(), types > 1)
      .bytes();
}

}  // namespace cellscope
