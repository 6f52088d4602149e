#include "sim/exec/cuda_exec.cuh"
//
#include "sim/algo/stencil/builder_impl.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeStencilBuilderCuda(const exec::Shared& exec) {
  return std::make_unique<StencilBuilderOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
