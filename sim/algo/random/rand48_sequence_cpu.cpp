#include "sim/algo/random/rand48_sequence.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<Rand48Sequence> makeRand48SequenceCpu(const exec::Shared& exec) {
  return std::make_unique<Rand48SequenceOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
