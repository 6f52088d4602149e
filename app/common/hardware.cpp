#include "app/common/hardware.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/terminal.h"
#include "sim/base/error.h"
#include "sim/exec/memory.h"
#include "sim/exec/threads.h"

namespace cellscope::common {

ExecConfig chooseHardware(const HardwareOptions& options, bool quiet) {
  ExecConfig config{Backend::cpu, options.threads, std::max(0, options.device)};
  if (options.backend == "cpu" && options.device >= 0)
    throw InputError(fmt::format(
        "--device {}: the CPU backend has no devices; leave out --device or --backend cpu",
        options.device));
  if (options.backend == "cpu") return config;
  const exec::CudaStatus& cuda = exec::cudaStatus();
  if (options.backend == "cuda" && !cuda.usable)
    throw RunError(
        fmt::format("the CUDA backend was requested, but {}; use --backend cpu or auto (cellscope "
                    "info shows what is available)",
                    cuda.reason));
  if (!cuda.usable && options.device >= 0)
    throw InputError(fmt::format("--device {}: no usable CUDA device: {}; leave it out",
                                 options.device, cuda.reason));
  if (cuda.usable) config.backend = Backend::cuda;
  if (cuda.usable && options.device >= static_cast<int>(cuda.devices.size()))
    throw InputError(fmt::format(
        "--device {}: no such CUDA device; allowed: 0 to {} (cellscope info lists them)",
        options.device, cuda.devices.size() - 1));
  if (options.backend == "auto" && !quiet)
    printError(fmt::format("Computing on {}{}", describe(config),
                           cuda.usable ? "" : fmt::format(" (no CUDA: {})", cuda.reason)));
  return config;
}

std::string describe(const ExecConfig& config) {
  if (config.backend == Backend::cuda) {
    const auto& names = exec::cudaStatus().devices;
    const auto d = static_cast<std::size_t>(config.device);
    return d < names.size() ? "cuda, " + names[d].substr(0, names[d].find(',')) : "cuda";
  }
  const int n = exec::threadsFor(config.threads);
  return fmt::format("cpu, {} thread{}", n, n == 1 ? "" : "s");
}

}  // namespace cellscope::common
