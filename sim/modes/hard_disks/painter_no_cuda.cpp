#include "sim/base/error.h"
#include "sim/exec/memory.h"
#include "sim/modes/hard_disks/painter.h"

namespace cellscope {

std::unique_ptr<DiskPainter> makeDiskPainterCuda(int) {
  throw RunError("the CUDA backend was asked for, but " + exec::cudaStatus().reason +
                 "; use --backend cpu");
}

}  // namespace cellscope
