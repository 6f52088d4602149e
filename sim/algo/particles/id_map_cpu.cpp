#include "sim/algo/particles/id_map_on.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<DeviceIdMap> makeDeviceIdMapCpu(const exec::Shared& exec) {
  return std::make_unique<DeviceIdMapOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
