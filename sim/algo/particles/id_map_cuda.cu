#include "sim/algo/particles/id_map_on.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

std::unique_ptr<DeviceIdMap> makeDeviceIdMapCuda(const exec::Shared& exec) {
  return std::make_unique<DeviceIdMapOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
