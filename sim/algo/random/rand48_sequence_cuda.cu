#include "sim/algo/random/rand48_sequence.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

void rand48SequenceCuda(const exec::Shared& exec, std::uint64_t seed, std::size_t streams,
                        const exec::Array<std::uint32_t>& out) {
  rand48SequenceOn(exec::as<exec::CudaExec>(exec), seed, streams, out);
}

}  // namespace cellscope
