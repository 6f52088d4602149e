#include "sim/exec/cuda_exec.cuh"
#include "tests/support/crowd/engine_on.h"

namespace cellscope::test {

std::unique_ptr<CrowdEngine> makeCrowdEngineCuda(const exec::Shared& exec) {
  return std::make_unique<CrowdEngineOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope::test
