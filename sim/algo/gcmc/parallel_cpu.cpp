#include "sim/algo/gcmc/parallel.h"
#include "sim/algo/gcmc/parallel_methods.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcParallelCpu(GcmcBlocks how, const exec::Shared& exec,
                                                const GcmcOptions& options) {
  return makeGcmcParallelOn<exec::CpuExec>(how, exec, options);
}

}  // namespace cellscope
