#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/checkerboard_impl.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcCheckerboardCuda(const exec::Shared& exec,
                                                     const GcmcBoardOptions& options) {
  return std::make_unique<GcmcCheckerboard<exec::CudaExec>>(exec, options);
}

}  // namespace cellscope
