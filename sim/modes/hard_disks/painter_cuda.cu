#include "sim/exec/cuda_exec.cuh"
#include "sim/modes/hard_disks/painter_on.h"

namespace cellscope {

std::unique_ptr<DiskPainter> makeDiskPainterCuda(int device) {
  return std::make_unique<DiskPainterOn<exec::CudaExec>>(device);
}

}  // namespace cellscope
