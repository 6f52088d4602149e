#include "sim/exec/cpu_exec.h"
#include "sim/layers/packer_on.h"

namespace cellscope::layers {

std::unique_ptr<Packer> makePackerCpu(const exec::Shared& exec) {
  return std::make_unique<PackerOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope::layers
