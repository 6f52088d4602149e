// The sequence of lrand48(), made by many threads in the memory of a backend (S2, section 4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/exec/context.h"
#include "sim/exec/memory.h"

namespace cellscope {

class Rand48Sequence {
 public:
  virtual ~Rand48Sequence() = default;
  // The first out.size() numbers after srand48(seed), by that many streams (S of the paper). `out`
  // lies in the memory of the backend. Waits until they are there.
  virtual void make(std::uint64_t seed, std::size_t streams, exec::Array<std::uint32_t>& out) = 0;
};

std::unique_ptr<Rand48Sequence> makeRand48SequenceCpu(const exec::Shared& exec);
std::unique_ptr<Rand48Sequence> makeRand48SequenceCuda(
    const exec::Shared& exec);  // builds with CUDA only
inline std::unique_ptr<Rand48Sequence> makeRand48Sequence(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeRand48SequenceCuda(exec);
  return makeRand48SequenceCpu(exec);
}

}  // namespace cellscope
