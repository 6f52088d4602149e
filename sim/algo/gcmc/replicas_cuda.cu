#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/replicas_impl.h"

namespace cellscope {

std::unique_ptr<GcmcReplicas> makeGcmcReplicasCuda(const exec::Shared& exec,
                                                   const GcmcOptions& options) {
  return std::make_unique<GcmcReplicasOn<exec::CudaExec>>(exec, options);
}

}  // namespace cellscope
