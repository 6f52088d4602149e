#include "sim/algo/neighbours/cells_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeCellListCpu(const exec::Shared& exec) {
  return std::make_unique<CellList<exec::CpuExec>>(exec);
}

std::size_t cellListBytes(const ListInput& input) {
  const auto cells = static_cast<std::size_t>(cellListGrid(input).count());
  return CellListArrays::layout(cells, input.n).bytes();
}

}  // namespace cellscope
