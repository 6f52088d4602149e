#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/parallel.h"
#include "sim/algo/gcmc/parallel_methods.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcParallelCuda(GcmcBlocks how, const exec::Shared& exec,
                                                 const GcmcOptions& options) {
  return makeGcmcParallelOn<exec::CudaExec>(how, exec, options);
}

}  // namespace cellscope
