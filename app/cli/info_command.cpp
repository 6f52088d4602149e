// `cellscope info`: backends, devices and graphics of this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/picture.h"
#include "app/common/terminal.h"
#include "sim/api/version.h"
#include "sim/base/assets.h"
#include "sim/base/cuda_reason.h"
#include "sim/exec/instruction_sets.h"
#include "sim/exec/memory.h"
#include "sim/exec/threads.h"

namespace cellscope::cli {

namespace {

template <class... T>
void show(fmt::format_string<T...> format, T&&... values) {
  common::put(fmt::format(format, std::forward<T>(values)...));
}

}  // namespace

int infoCommand() {
  show("cellscope {}\n", programVersion());
  show("built with: {}\n",
       kCudaBuilt ? "CPU and CUDA backends" : fmt::format("CPU backend only ({})", whyNoCuda()));
  show("cpu: {} processors available to this process; instruction sets {}; using {}\n",
       exec::availableThreads(), fmt::join(exec::instructionSets(), ", "), exec::instructionSet());
  const exec::CudaStatus& cuda = exec::cudaStatus();
  if (!cuda.usable) show("cuda: not usable: {}\n", cuda.reason);
  for (std::size_t d = 0; cuda.usable && d < cuda.devices.size(); ++d)
    show("cuda device {}: {}\n", d, cuda.devices[d]);
  const char* x = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  show("display: {}\n", wayland && *wayland ? wayland
                        : x && *x           ? x
                                            : "none (pictures are drawn with EGL)");
  show("OpenGL through EGL: {}\n", describeGraphics(cuda.usable ? Backend::cuda : Backend::cpu));
  show("assets: {}\n", assetFolder());
  show("scenarios: {}\n", galleryFolder());
  return 0;
}

}  // namespace cellscope::cli
