// The sequence of lrand48(), made by many threads in the memory of a backend (S2, section 4).
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/core/rng.h"
#include "sim/exec/context.h"
#include "sim/exec/memory.h"

namespace cellscope {

// The first out.size() numbers after srand48(seed), by that many streams (S of the paper). `out`
// lies in the memory of the backend. Waits until they are there.
using Rand48Sequence = void(const exec::Shared& exec, std::uint64_t seed, std::size_t streams,
                            const exec::Array<std::uint32_t>& out);
Rand48Sequence rand48SequenceCpu, rand48SequenceCuda;
inline void rand48Sequence(const exec::Shared& exec, std::uint64_t seed, std::size_t streams,
                           const exec::Array<std::uint32_t>& out) {
  exec::makeOn<rand48SequenceCpu, rand48SequenceCuda>(exec, seed, streams, out);
}

template <class Exec>
void rand48SequenceOn(Exec& exec, std::uint64_t seed, std::size_t streams,
                      const exec::Array<std::uint32_t>& out) {
  constexpr int kGrain = 64;
  exec.forEach(
      "rand48", streams,
      Rand48Streams{rand48Seed(seed), streams, out.size(), out.data(), rand48Leap(streams)},
      kGrain);
  exec.synchronize();
}

}  // namespace cellscope
