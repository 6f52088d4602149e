#include <cmath>

#include "sim/exec/cpu_exec.h"
#include "sim/modes/hard_disks/painter_on.h"

namespace cellscope {

std::unique_ptr<DiskPainter> makeDiskPainterCpu(const exec::Shared& exec) {
  return std::make_unique<DiskPainterOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
