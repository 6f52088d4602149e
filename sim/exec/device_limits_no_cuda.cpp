#include "sim/exec/device_limits.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {

DeviceLimits cudaLimits(int device) {
  useCudaDevice(device);  // throws, with the reason
  return {};
}

}  // namespace cellscope::exec
