#include "sim/algo/gcmc/parallel_methods.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcBlocksCpu(const exec::Shared& exec,
                                              const GcmcOptions& options) {
  return makeGcmcBlocksOn<exec::CpuExec>(exec, options);
}

}  // namespace cellscope
