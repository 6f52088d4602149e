// What the benchmarks of the verbs share: sizes, functors, names. The row of a verb is called as
// the verb is; the row of the bare library beside it has the same name and _tbb, _cub or _bare
// behind it (exec_verbs_table.py looks for that).
#pragma once
#include <benchmark/benchmark.h>

#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope::bench {

inline constexpr std::int64_t kSizes[]{10'000, 1'000'000, 100'000'000};

HOST_DEVICE std::uint32_t mixedWord(std::size_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
  h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
  return h;
}

struct FillWords {
  std::uint32_t* out;
  HOST_DEVICE void operator()(std::size_t i) const { out[i] = mixedWord(i); }
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

// Each team adds up kOfTeam words through its shared memory: the same loops on both backends.
struct SumOfTeam {
  static constexpr int kThreads = 128;
  static constexpr std::size_t kOfTeam = 4096;
  struct Shared {
    std::uint32_t sums[kThreads];
  };
  struct Private {};
  const std::uint32_t* in;
  std::size_t n;
  std::uint32_t* out;

  static int teamsFor(std::size_t n) { return static_cast<int>((n + kOfTeam - 1) / kOfTeam); }
  HOST_DEVICE std::uint32_t sumOf(int team, int thread) const {
    const std::size_t begin = static_cast<std::size_t>(team) * kOfTeam;
    const std::size_t end = begin + kOfTeam < n ? begin + kOfTeam : n;
    std::uint32_t sum = 0;
    for (std::size_t i = begin + thread; i < end; i += kThreads) sum += in[i];
    return sum;
  }
  HOST_DEVICE static std::uint32_t total(const std::uint32_t (&sums)[kThreads]) {
    std::uint32_t sum = 0;
    for (const std::uint32_t s : sums) sum += s;
    return sum;
  }
  HOST_DEVICE int phases(int) const { return 2; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&) const {
    if (p == 0)
      s.sums[thread] = sumOf(team, thread);
    else if (thread == 0)
      out[team] = total(s.sums);
  }
};

}  // namespace cellscope::bench
