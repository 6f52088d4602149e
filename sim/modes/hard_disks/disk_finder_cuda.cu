#include "sim/exec/cuda_exec.cuh"
#include "sim/modes/hard_disks/disk_scene.h"

namespace cellscope {

std::unique_ptr<DiskFinder> makeDiskFinderCuda(const exec::Shared& exec) {
  return std::make_unique<DiskFinderOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
