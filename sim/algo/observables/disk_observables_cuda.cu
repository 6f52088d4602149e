#include "sim/algo/observables/disk_observables_impl.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

std::unique_ptr<DiskObservables> makeDiskObservablesCuda(const exec::Shared& exec) {
  return std::make_unique<DiskObservablesOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
