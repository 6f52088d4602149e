// Hardware options of all subcommands that compute.
#pragma once
#include <string>

#include "sim/base/backend.h"

namespace cellscope::common {

struct HardwareOptions {
  std::string backend = "auto";  // auto, cpu, cuda
  int threads = 0;
  int device = -1;  // CUDA device; negative: not given, use the first
};

// Resolves "auto" to a backend and prints which and why (unless `quiet`).
ExecConfig chooseHardware(const HardwareOptions& options, bool quiet);
std::string describe(const ExecConfig& config);  // "cpu, 2 threads", "cuda, NVIDIA H200"

}  // namespace cellscope::common
