#include "sim/algo/stencil/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeStencilBuilderCpu(const exec::Shared& exec) {
  return std::make_unique<StencilBuilderOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
