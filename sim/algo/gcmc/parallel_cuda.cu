#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/parallel_methods.h"

namespace cellscope {

template <>
template <GcmcBlocks how>
std::unique_ptr<GcmcEngine> GcmcOnCuda<kGcmcMixtures>::blocks(const exec::Shared& exec,
                                                              const GcmcOptions& options) {
  return makeGcmcBlocksOn<exec::CudaExec, how>(exec, options);
}
template GcmcMaker GcmcOnCuda<kGcmcMixtures>::blocks<GcmcBlocks::allParticles>;
template GcmcMaker GcmcOnCuda<kGcmcMixtures>::blocks<GcmcBlocks::cells>;
template GcmcMaker GcmcOnCuda<kGcmcMixtures>::blocks<GcmcBlocks::microcells>;
template GcmcMaker GcmcOnCuda<kGcmcMixtures>::blocks<GcmcBlocks::microcellsMany>;

}  // namespace cellscope
