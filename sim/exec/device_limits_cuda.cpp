#include <cuda_runtime.h>
#include <fmt/format.h>

#include "sim/exec/cuda_check.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {

static double attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  checkCuda(cudaDeviceGetAttribute(&value, which, device), "reading a property of the GPU");
  return value;
}

DeviceLimits cudaLimits(int device) {
  useCudaDevice(device);
  cudaDeviceProp properties{};
  checkCuda(cudaGetDeviceProperties(&properties, device), "reading the properties of the GPU");
  const double multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
  const double clock = 1e3 * attribute(cudaDevAttrClockRate, device);  // kHz
  const double memoryClock = 1e3 * attribute(cudaDevAttrMemoryClockRate, device);
  const double bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  DeviceLimits limits;
  limits.device = properties.name;
  limits.instructionRate = multiprocessors * 128 * clock;
  limits.bytesPerSecond = 2 * memoryClock * bits / 8;
  limits.cacheBytes = attribute(cudaDevAttrL2CacheSize, device);
  limits.source =
      fmt::format("{:.0f} multiprocessors x 128 lanes x {:.3f} GHz; {:.0f} bits x 2 x {:.3f} GHz",
                  multiprocessors, clock / 1e9, bits, memoryClock / 1e9);
  return limits;
}

}  // namespace cellscope::exec
