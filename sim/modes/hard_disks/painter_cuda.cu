#include "sim/exec/cuda_exec.cuh"
#include "sim/modes/hard_disks/painter_on.h"

namespace cellscope {

std::unique_ptr<DiskPainter> makeDiskPainterCuda(const exec::Shared& exec) {
  return std::make_unique<DiskPainterOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
