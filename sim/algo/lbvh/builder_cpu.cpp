#include "sim/algo/lbvh/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeTreeBuilderCpu(const exec::Shared& exec) {
  return std::make_unique<TreeBuilderOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
