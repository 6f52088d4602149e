// What the benchmarks of the verbs share: sizes, functors, names.
#pragma once
#include <benchmark/benchmark.h>

#include <cstdint>

#include "sim/base/host_device.h"
#include "sim/base/vec.h"

namespace cellscope::bench {

inline constexpr std::int64_t kSizes[]{10'000, 1'000'000, 100'000'000};
inline constexpr std::int32_t kBins = 256;

HOST_DEVICE std::uint32_t mixedWord(std::size_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
  h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
  return h;
}

struct FillWords {
  std::uint32_t* out;
  HOST_DEVICE void operator()(std::size_t i) const { out[i] = mixedWord(i); }
};
struct FillRuns {  // of eight
  std::uint32_t* out;
  HOST_DEVICE void operator()(std::size_t i) const { out[i] = mixedWord(i / 8); }
};
struct Increment {
  std::uint32_t* out;
  HOST_DEVICE void operator()(std::size_t i) const { out[i] += 1; }
};
struct WordAt {
  const std::uint32_t* in;
  HOST_DEVICE std::uint32_t operator()(std::size_t i) const { return in[i]; }
};
struct AddWords {
  HOST_DEVICE std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a + b; }
};
struct HalfOf {
  const std::uint32_t* in;
  HOST_DEVICE bool operator()(std::size_t i) const { return in[i] & 1; }
};
struct BinAt {
  const std::uint32_t* in;
  HOST_DEVICE std::int32_t operator()(std::size_t i) const {
    return static_cast<std::int32_t>(in[i] >> 24);
  }
};
struct PointAt {
  const Vec3* in;
  HOST_DEVICE Vec3 operator()(std::size_t i) const { return in[i]; }
};

}  // namespace cellscope::bench
