// What to compute on: the options of all subcommands that compute, and what is there.
#pragma once
#include <string>

#include "sim/base/backend.h"

namespace cellscope::common {

struct HardwareOptions {
  std::string backend = "auto";  // auto, cpu, cuda
  int threads = 0;
  int device = -1;  // of CUDA; negative: not named, the first one
};

// Turns "auto" into a backend and says which and why in one line (not when `quiet`).
ExecConfig chooseHardware(const HardwareOptions& options, bool quiet);
std::string describe(const ExecConfig& config);  // "cpu, 2 threads", "cuda, NVIDIA H200"

}  // namespace cellscope::common
