#include "sim/exec/cuda_exec.cuh"

namespace cellscope::exec {

Shared makeCudaExec(const ExecConfig& config) { return std::make_shared<CudaExec>(config); }

}  // namespace cellscope::exec
