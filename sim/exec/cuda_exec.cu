#include "sim/exec/cuda_exec.cuh"

namespace cellscope::exec {

Shared makeCudaExec(const ExecConfig& config) { return std::make_shared<CudaExec>(config); }

std::size_t scanScratchCuda(std::size_t n, int device) {
  useCudaDevice(device);
  std::size_t bytes = 0;
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  checkCuda(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, static_cast<std::int64_t>(n)),
            "asking for scratch");
  return bytes;
}

}  // namespace cellscope::exec
