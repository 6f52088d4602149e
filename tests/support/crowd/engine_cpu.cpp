#include "sim/exec/cpu_exec.h"
#include "tests/support/crowd/engine_on.h"

namespace cellscope::test {

std::unique_ptr<CrowdEngine> makeCrowdEngineCpu(const exec::Shared& exec) {
  return std::make_unique<CrowdEngineOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope::test
