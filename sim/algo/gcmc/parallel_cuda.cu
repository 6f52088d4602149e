#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/parallel_methods.h"

namespace cellscope {

template <GcmcBlocks how>
std::unique_ptr<GcmcEngine> makeGcmcBlocksCuda(const exec::Shared& exec,
                                               const GcmcOptions& options) {
  return makeGcmcBlocksOn<exec::CudaExec, how>(exec, options);
}
template GcmcMaker makeGcmcBlocksCuda<GcmcBlocks::allParticles>;
template GcmcMaker makeGcmcBlocksCuda<GcmcBlocks::cells>;
template GcmcMaker makeGcmcBlocksCuda<GcmcBlocks::microcells>;
template GcmcMaker makeGcmcBlocksCuda<GcmcBlocks::microcellsMany>;

}  // namespace cellscope
