#include "sim/exec/cpu_exec.h"
#include "sim/modes/hard_disks/disk_finder.h"

namespace cellscope {

std::unique_ptr<DiskFinder> makeDiskFinderCpu(const exec::Shared& exec) {
  return std::make_unique<DiskFinderOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
