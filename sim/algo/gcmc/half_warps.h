// The tuned chain of one block on CUDA (half_warps.cuh).
#pragma once
#include <memory>

#include "sim/algo/gcmc/engine.h"
#include "sim/base/backend.h"
#include "sim/base/error.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcHalfWarpsCuda(
    const exec::Shared& exec, const GcmcOptions& options);  // builds with CUDA only

inline std::unique_ptr<GcmcEngine> makeGcmcHalfWarps(const exec::Shared& exec,
                                                     const GcmcOptions& options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeGcmcHalfWarpsCuda(exec, options);
  throw InputError(
      "method = \"half_warps\" runs on CUDA only; choose --backend cuda or another method, "
      "\"microcells_many\" for one");
}

}  // namespace cellscope
