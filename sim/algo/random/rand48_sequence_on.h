// Rand48Sequence over one exec: included by rand48_sequence_cpu.cpp and rand48_sequence_cuda.cu
// only.
#pragma once
#include <utility>

#include "sim/algo/random/rand48_sequence.h"
#include "sim/core/rand48.h"

namespace cellscope {

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
