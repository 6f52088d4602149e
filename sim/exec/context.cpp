#include "sim/exec/context.h"

#include "sim/exec/cpu_exec.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {

Shared makeExec(const ExecConfig& config) {
  if (config.backend == Backend::cuda) {
    requireCuda();
    if constexpr (kCudaBuilt) return makeCudaExec(config);
  }
  return std::make_shared<CpuExec>(config);
}

}  // namespace cellscope::exec
