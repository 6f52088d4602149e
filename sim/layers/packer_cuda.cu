#include "sim/exec/cuda_exec.cuh"
#include "sim/layers/packer_on.h"

namespace cellscope::layers {

std::unique_ptr<Packer> makePackerCuda(const exec::Shared& exec) {
  return std::make_unique<PackerOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope::layers
