#include "sim/exec/cuda_exec.cuh"
//
#include "sim/algo/lbvh/builder_impl.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeTreeBuilderCuda(const exec::Shared& exec) {
  return std::make_unique<TreeBuilderOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
