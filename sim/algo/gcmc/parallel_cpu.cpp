#include "sim/algo/gcmc/parallel_methods.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

template <GcmcBlocks how>
std::unique_ptr<GcmcEngine> makeGcmcBlocksCpu(const exec::Shared& exec,
                                              const GcmcOptions& options) {
  return makeGcmcBlocksOn<exec::CpuExec, how>(exec, options);
}
template GcmcMaker makeGcmcBlocksCpu<GcmcBlocks::allParticles>;
template GcmcMaker makeGcmcBlocksCpu<GcmcBlocks::cells>;
template GcmcMaker makeGcmcBlocksCpu<GcmcBlocks::microcells>;
template GcmcMaker makeGcmcBlocksCpu<GcmcBlocks::microcellsMany>;

}  // namespace cellscope
