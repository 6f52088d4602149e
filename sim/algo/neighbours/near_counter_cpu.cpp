#include "sim/algo/neighbours/near_counter_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<NearCounter> makeNearCounterCpu(const exec::Shared& exec) {
  return std::make_unique<NearCounterOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
