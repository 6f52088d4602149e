// CUDA engine with placeholder cells.
#include "sim/algo/placeholders/engine_impl.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

std::unique_ptr<MdEngine> makePlaceholdersCuda(const exec::Shared& exec) {
  return std::make_unique<PlaceholderEngine<exec::CudaExec>>(exec);
}

}  // namespace cellscope
