#include "sim/algo/list_check/judge.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope::list_check {

Reaches reachesOf(const PairList& list, double tolerance) {
  return {list.radius.empty() ? nullptr : list.radius.data(),
          list.cutoffs.data(),
          list.type.data(),
          list.types,
          list.cutoff,
          list.skin,
          tolerance};
}

std::vector<RowCounts> judgeRowsCpu(const exec::Shared& exec, const PairList& list,
                                    const PairsWithin& oracle, const Rows& rows, bool half,
                                    double tolerance) {
  return judgeRowsOn<exec::CpuExec>(exec, list, oracle, rows, half, tolerance);
}

}  // namespace cellscope::list_check
