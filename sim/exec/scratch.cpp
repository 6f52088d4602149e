#include "sim/exec/scratch.h"

#include <cstdint>

#include "sim/exec/cpu_scan.h"
#include "sim/exec/threads.h"

namespace cellscope::exec {

std::size_t scanScratch(std::size_t n, const ExecConfig& config) {
  if constexpr (kCudaBuilt)
    if (config.backend == Backend::cuda)
      return Workspace::roomFor(scanScratchCuda(n, config.device));
  return Workspace::roomFor(scanScratchOnCpu<std::uint32_t>(n, threadsFor(config.threads)));
}

}  // namespace cellscope::exec
