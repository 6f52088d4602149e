#include "sim/algo/gcmc/replicas_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<GcmcReplicas> makeGcmcReplicasCpu(const exec::Shared& exec,
                                                  const GcmcOptions& options) {
  return std::make_unique<GcmcReplicasOn<exec::CpuExec>>(exec, options);
}

}  // namespace cellscope
