#include "sim/algo/neighbours/near_counter_impl.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

std::unique_ptr<NearCounter> makeNearCounterCuda(const exec::Shared& exec) {
  return std::make_unique<NearCounterOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
