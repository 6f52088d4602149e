// Makes the packer of a mode's exec.
#pragma once
#include <memory>

#include "sim/exec/context.h"
#include "sim/layers/layer.h"

namespace cellscope::layers {

std::unique_ptr<Packer> makePackerCpu(const exec::Shared& exec);
std::unique_ptr<Packer> makePackerCuda(const exec::Shared& exec);  // builds with CUDA only

inline std::unique_ptr<Packer> makePacker(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makePackerCuda(exec);
  return makePackerCpu(exec);
}

}  // namespace cellscope::layers
