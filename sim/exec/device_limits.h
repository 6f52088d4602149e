// What the hardware can do at best: the limits that benchmarks are compared with.
#pragma once
#include <string>

#include "sim/base/backend.h"

namespace cellscope::exec {

struct DeviceLimits {
  std::string device;          // "NVIDIA H200", or the name of the processor
  double instructionRate = 0;  // single-precision instructions (lanes) per second
  double bytesPerSecond = 0;   // of memory; 0 = not known
  double cacheBytes = 0;       // largest cache that all processors share; 0 = not known
  std::string source;          // how the numbers were found
};

// CPU: measured add and multiply throughput of `threads` threads. CUDA: multiprocessors times 128
// lanes times the highest clock, and the memory's clock times its width, as the driver states them.
DeviceLimits deviceLimits(const ExecConfig& config);

DeviceLimits cudaLimits(int device);  // builds with CUDA only

}  // namespace cellscope::exec
