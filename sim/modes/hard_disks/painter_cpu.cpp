#include <cmath>

#include "sim/exec/cpu_exec.h"
#include "sim/modes/hard_disks/painter_on.h"

namespace cellscope {

std::unique_ptr<DiskPainter> makeDiskPainterCpu(int threads) {
  return std::make_unique<DiskPainterOn<exec::CpuExec>>(threads);
}

}  // namespace cellscope
