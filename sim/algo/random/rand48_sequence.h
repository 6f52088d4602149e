// The sequence of lrand48(), made by many threads in the memory of a backend (S2, section 4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/core/rand48.h"
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
std::unique_ptr<Rand48Sequence> makeRand48SequenceCuda(const exec::Shared& exec);
inline std::unique_ptr<Rand48Sequence> makeRand48Sequence(const exec::Shared& exec) {
  return exec::makeOn<makeRand48SequenceCpu, makeRand48SequenceCuda>(exec);
}

// Rand48Sequence over one exec: included by rand48_sequence_cpu.cpp and rand48_sequence_cuda.cu
// only.
template <class Exec>
class Rand48SequenceOn final : public Rand48Sequence {
 public:
  explicit Rand48SequenceOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void make(std::uint64_t seed, std::size_t streams, exec::Array<std::uint32_t>& out) override {
    exec_.forEach(
        "rand48", streams,
        Rand48Streams{rand48Seed(seed), streams, out.size(), out.data(), rand48Leap(streams)},
        kGrain);
    exec_.synchronize();
  }

 private:
  static constexpr int kGrain = 64;
  exec::Shared shared_;
  Exec& exec_;
};

}  // namespace cellscope
