#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/parallel_engine.h"

namespace cellscope {

template <>
std::unique_ptr<GcmcEngine> GcmcOnCuda<kGcmcMixtures>::blocks(const exec::Shared& exec,
                                                              const GcmcOptions& options) {
  return makeGcmcBlocksOn<exec::CudaExec>(exec, options);
}

}  // namespace cellscope
