// The generator of the C library's drand48() and lrand48(), and its leaps: x' = a x + c mod 2^48
// (POSIX; S2, section 4). Many threads produce its one sequence, bit for bit, each taking every
// m-th number: x(n + m) = A x(n) + C with A = a^m, C = c (a^(m-1) + ... + 1) (S2, eq. 7).
//
// It is here to redo S2. Its low bits are weak, and its sequence lies on a lattice; Philox
// (sim/core/rng.h) is better and needs no memory either.
#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope {

inline constexpr std::uint64_t kRand48Mask = (std::uint64_t{1} << 48) - 1;

// x -> a x + c mod 2^48.
struct Rand48Leap {
  std::uint64_t a = 1, c = 0;

  HOST_DEVICE std::uint64_t of(std::uint64_t x) const { return (a * x + c) & kRand48Mask; }
  // First this leap, then `next`.
  HOST_DEVICE Rand48Leap then(const Rand48Leap& next) const {
    return {(next.a * a) & kRand48Mask, next.of(c)};
  }
};

HOST_DEVICE Rand48Leap rand48Step() { return {0x5DEECE66Dull, 0xBull}; }

// m steps at once, in about log2(m) products.
HOST_DEVICE Rand48Leap rand48Leap(std::uint64_t m) {
  Rand48Leap all, power = rand48Step();
  for (; m > 0; m >>= 1) {
    if (m & 1) all = all.then(power);
    power = power.then(power);
  }
  return all;
}

// The state after srand48(seed), of which the low 32 bits count.
HOST_DEVICE std::uint64_t rand48Seed(std::uint64_t seed) {
  return ((seed & 0xffffffffull) << 16) | 0x330Eull;
}
// What lrand48() returns in a state.
HOST_DEVICE std::uint32_t lrand48Of(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 17); }
// Never 0, so that logarithms are safe.
HOST_DEVICE double openUniformOf(std::uint64_t x) {
  return (static_cast<double>(x) + 0.5) * (1.0 / 281474976710656.0);
}

// Numbers i, i + streams, i + 2 streams ... of the sequence after `state`, below `count`, are made
// by stream i: a functor for forEach over the streams. lrand48() would have returned them in order.
struct Rand48Streams {
  std::uint64_t state;
  std::size_t streams, count;
  std::uint32_t* out;
  Rand48Leap leap;  // rand48Leap(streams)

  HOST_DEVICE void operator()(std::size_t i) const {
    std::uint64_t x = rand48Leap(i + 1).of(state);
    for (std::size_t k = i; k < count; k += streams) {
      out[k] = lrand48Of(x);
      x = leap.of(x);
    }
  }
};

}  // namespace cellscope
