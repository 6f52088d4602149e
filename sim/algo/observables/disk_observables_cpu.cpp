#include "sim/algo/observables/disk_observables_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<DiskObservables> makeDiskObservablesCpu(const exec::Shared& exec) {
  return std::make_unique<DiskObservablesOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
