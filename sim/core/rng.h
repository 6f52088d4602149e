// Counter-based random numbers: Philox 4x32-10 (Salmon et al. 2011) from Random123.
//
// A draw is a pure function of (seed, purpose, step, id, block): nothing is stored, and the stream
// is the same on both backends and for any number of threads. The seed is hashed into the key and
// never added to a counter, so that runs with neighbouring seeds are unrelated. The rest of the
// tuple fills the counter without overlap; two draws therefore never share one.
#pragma once
#include <Random123/philox.h>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/base/host_device.h"

namespace cellscope {

// Every use of random numbers in the program. Add at the end; never renumber, or old runs change.
enum class RngPurpose : std::uint32_t {
  initialPositions = 1,   // random placement of a new state
  initialVelocities = 2,  // Maxwell-Boltzmann velocities of a new MD state
  setShuffle = 3,         // order of the checkerboard sets in a sweep (S3, Algorithm 1, line 2)
  cellUpdate = 4,         // particle shuffle and trial moves in a cell (S3, Algorithm 2)
  cellShift = 5,          // direction and length of the cell shift (S3, Algorithm 1, lines 15-16)
  compression = 6,        // trial moves while the packing fraction is being changed
  test = 7,               // test data
  gcmcMove = 8,           // kind, choice, point and acceptance of a grand-canonical move (S0)
  gcmcWidom = 9,          // test points of the excess chemical potential
  langevinNoise = 10,     // noise of the Langevin bath
  barostatNoise = 11,     // noise of the volume at a pressure
  gibbsMove = 12,         // kind, choice, point and acceptance of a move between two boxes
};

struct RngKey {
  std::uint32_t k0, k1;
};

struct Random4 {
  std::uint32_t w[4];
};

// Bijective 64-bit finaliser (splitmix64): distinct seeds give distinct keys.
HOST_DEVICE RngKey hashSeed(std::uint64_t seed) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  return {static_cast<std::uint32_t>(z), static_cast<std::uint32_t>(z >> 32)};
}

// Counter of block `block` of stream (purpose, step, id). Steps stay below 2^56; `id` is a cell or
// particle, `block` numbers successive calls of one use.
HOST_DEVICE r123::Philox4x32::ctr_type streamCounter(RngPurpose purpose, std::uint64_t step,
                                                     std::uint32_t id, std::uint32_t block) {
  // Word 3 holds the purpose (8 bits) and step bits 32..55 (24 bits).
  const std::uint32_t high = static_cast<std::uint32_t>(step >> 32) & 0xffffffu;
  return {{id, block, static_cast<std::uint32_t>(step),
           (static_cast<std::uint32_t>(purpose) << 24) | high}};
}

// The four words of that block.
HOST_DEVICE Random4 draw(RngKey key, RngPurpose purpose, std::uint64_t step, std::uint32_t id,
                         std::uint32_t block) {
  const r123::Philox4x32::key_type philoxKey = {{key.k0, key.k1}};
  const r123::Philox4x32::ctr_type r =
      r123::Philox4x32()(streamCounter(purpose, step, id, block), philoxKey);
  return {{r[0], r[1], r[2], r[3]}};
}

// Keys of the ten rounds of Philox 4x32-10, for kernels that draw much with one key.
struct RoundKeys {
  std::uint32_t k0[10], k1[10];
};

HOST_DEVICE RoundKeys roundKeys(RngKey key) {
  RoundKeys keys;
  for (int round = 0; round < 10; ++round) {
    keys.k0[round] = key.k0 + round * PHILOX_W32_0;
    keys.k1[round] = key.k1 + round * PHILOX_W32_1;
  }
  return keys;
}

// The same words as draw(key, ...).
HOST_DEVICE Random4 draw(const RoundKeys& keys, RngPurpose purpose, std::uint64_t step,
                         std::uint32_t id, std::uint32_t block) {
  r123::Philox4x32::ctr_type c = streamCounter(purpose, step, id, block);
  for (int round = 0; round < 10; ++round) {
    const r123::Philox4x32::key_type key = {{keys.k0[round], keys.k1[round]}};
    c = philox4x32_R(1, c, key);
  }
  return {{c[0], c[1], c[2], c[3]}};
}

// High word of the product: uniform integer in [0, n) with bias below n / 2^32.
HOST_DEVICE std::uint32_t scaleWord(std::uint32_t word, std::uint32_t n) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(word) * n) >> 32);
}

// Uniform double in (0, 1): the 53-bit midpoints exclude both ends, so logarithms are safe.
HOST_DEVICE double uniformOpen(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 20) | (low >> 12);
  return (static_cast<double>(bits) + 0.5) * (1.0 / 4503599627370496.0);
}

// Normal deviate after Box and Muller.
HOST_DEVICE double normalDeviate(const Random4& r) {
  const double radius = sqrt(-2.0 * log(uniformOpen(r.w[0], r.w[1])));
  return radius * cos(2.0 * std::numbers::pi * uniformOpen(r.w[2], r.w[3]));
}

// The generator of the C library's drand48() and lrand48(), and its leaps: x' = a x + c mod 2^48
// (POSIX; S2, section 4). Many threads produce its one sequence, bit for bit, each taking every
// m-th number: x(n + m) = A x(n) + C with A = a^m, C = c (a^(m-1) + ... + 1) (S2, eq. 7).
//
// It is here to redo S2. Its low bits are weak, and its sequence lies on a lattice; Philox is
// better and needs no memory either.
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
