// The checkerboard chain (board.h) on either backend. It is not the serial chain: its moves have
// another order, the same equilibrium.
#pragma once
#include <memory>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/base/backend.h"

namespace cellscope {

struct GcmcBoardOptions {
  int attempts = 16;  // of a cell when its colour is active
  GcmcBoardExperiment experiment = GcmcBoardExperiment::none;
};

std::unique_ptr<GcmcEngine> makeGcmcCheckerboardCpu(const exec::Shared& exec,
                                                    const GcmcBoardOptions& options);
std::unique_ptr<GcmcEngine> makeGcmcCheckerboardCuda(
    const exec::Shared& exec, const GcmcBoardOptions& options);  // builds with CUDA only
inline std::unique_ptr<GcmcEngine> makeGcmcCheckerboard(const exec::Shared& exec,
                                                        const GcmcBoardOptions& options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeGcmcCheckerboardCuda(exec, options);
  return makeGcmcCheckerboardCpu(exec, options);
}

}  // namespace cellscope
