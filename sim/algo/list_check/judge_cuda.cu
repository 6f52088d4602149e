#include "sim/algo/list_check/judge.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope::list_check {

std::vector<RowCounts> judgeRowsCuda(const exec::Shared& exec, const PairList& list,
                                     const PairsWithin& oracle, const Rows& rows, bool half,
                                     double tolerance) {
  return judgeRowsOn<exec::CudaExec>(exec, list, oracle, rows, half, tolerance);
}

}  // namespace cellscope::list_check
