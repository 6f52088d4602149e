// `cellscope info`: what this machine offers, or why it does not.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "app/cli/commands.h"
#include "app/cli/picture.h"
#include "sim/api/version.h"
#include "sim/base/assets.h"
#include "sim/exec/instruction_sets.h"
#include "sim/exec/memory.h"
#include "sim/exec/threads.h"

namespace cellscope::cli {

int infoCommand() {
  fmt::print("cellscope {}\n", programVersion());
#ifdef CELLSCOPE_HAS_CUDA
  fmt::print("built with: CPU and CUDA backends\n");
#else
  fmt::print("built with: CPU backend only (no nvcc was found, or CELLSCOPE_CUDA=OFF)\n");
#endif
  fmt::print("cpu: {} processors for this process; instruction sets {}; {} is used\n",
             exec::availableThreads(), fmt::join(exec::instructionSets(), ", "),
             exec::instructionSet());
  const exec::CudaStatus& cuda = exec::cudaStatus();
  if (!cuda.usable) fmt::print("cuda: not usable: {}\n", cuda.reason);
  for (std::size_t d = 0; cuda.usable && d < cuda.devices.size(); ++d)
    fmt::print("cuda device {}: {}\n", d, cuda.devices[d]);
  const char* x = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  fmt::print("display: {}\n", wayland && *wayland ? wayland
                              : x && *x           ? x
                                                  : "none (pictures are drawn through EGL)");
  fmt::print("OpenGL through EGL: {}\n",
             describeGraphics(cuda.usable ? Backend::cuda : Backend::cpu));
  fmt::print("assets: {}\n", assetFolder());
  fmt::print("scenarios: {}\n", galleryFolder());
  return 0;
}

}  // namespace cellscope::cli
