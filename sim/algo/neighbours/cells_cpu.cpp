#include "sim/algo/neighbours/cells_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeCellListCpu(const exec::Shared& exec) {
  return std::make_unique<CellList<exec::CpuExec>>(exec);
}

}  // namespace cellscope
