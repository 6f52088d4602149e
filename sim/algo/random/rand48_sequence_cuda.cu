#include "sim/algo/random/rand48_sequence.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

std::unique_ptr<Rand48Sequence> makeRand48SequenceCuda(const exec::Shared& exec) {
  return std::make_unique<Rand48SequenceOn<exec::CudaExec>>(exec);
}

}  // namespace cellscope
