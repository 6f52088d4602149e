// The methods of blocks and threads on either backend.
#pragma once
#include <memory>

#include "sim/algo/gcmc/engine.h"
#include "sim/base/backend.h"

namespace cellscope {

enum class GcmcBlocks { allParticles, cells, microcells, microcellsMany };

std::unique_ptr<GcmcEngine> makeGcmcParallelCpu(GcmcBlocks how, const exec::Shared& exec,
                                                const GcmcOptions& options);
std::unique_ptr<GcmcEngine> makeGcmcParallelCuda(
    GcmcBlocks how, const exec::Shared& exec,
    const GcmcOptions& options);  // builds with CUDA only
inline std::unique_ptr<GcmcEngine> makeGcmcParallel(GcmcBlocks how, const exec::Shared& exec,
                                                    const GcmcOptions& options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeGcmcParallelCuda(how, exec, options);
  return makeGcmcParallelCpu(how, exec, options);
}

}  // namespace cellscope
