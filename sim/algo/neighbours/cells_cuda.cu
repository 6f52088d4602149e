#include "sim/algo/neighbours/cells_impl.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

std::unique_ptr<ListBuilder> makeCellListCuda(const exec::Shared& exec) {
  return std::make_unique<CellList<exec::CudaExec>>(exec);
}

}  // namespace cellscope
