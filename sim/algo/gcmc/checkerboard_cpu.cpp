#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcCheckerboardCpu(const exec::Shared& exec,
                                                    const GcmcBoardOptions& options) {
  return std::make_unique<GcmcCheckerboard<exec::CpuExec>>(exec, options);
}

}  // namespace cellscope
