// Pairs of boxes on CUDA: a block of threads each.
#include "sim/algo/gibbs/pairs_impl.h"
#include "sim/exec/cuda_launcher.cuh"

namespace cellscope {

std::unique_ptr<GibbsPairs> makeGibbsPairsCuda(const exec::Shared& exec, int threads) {
  return std::make_unique<GibbsOn<exec::CudaLauncher>>(exec, threads, GcmcCellFunctions{});
}

// gibbsStride() of this many is the largest multiple of 16 slots that there is room for.
std::uint32_t mostGibbsParticlesCuda(const exec::Shared& exec) {
  int most = 0;
  exec::checkCuda(
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, exec->config().device),
      "asking for shared memory");
  const std::size_t slots =
      (static_cast<std::size_t>(most) - sizeof(GibbsMoves::Shared)) / (3 * sizeof(std::uint32_t));
  return static_cast<std::uint32_t>(slots / 16 * 16 - 16);
}

}  // namespace cellscope
