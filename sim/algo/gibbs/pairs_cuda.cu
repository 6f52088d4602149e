// Pairs of boxes on CUDA: a block of threads each.
#include "sim/algo/gibbs/pairs_impl.h"
#include "sim/exec/cuda_launcher.cuh"

namespace cellscope {

std::unique_ptr<GibbsPairs> makeGibbsPairsCuda(const exec::Shared& exec, int threads) {
  return std::make_unique<GibbsOn<exec::CudaLauncher>>(exec, threads, GcmcCellFunctions{});
}

}  // namespace cellscope
