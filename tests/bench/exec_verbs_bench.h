// What the benchmarks of the verbs share: sizes, functors, names, and the rows of the verbs
// themselves. The row of a verb is called as the verb is; the row of the bare library beside it has
// the same name and _tbb, _cub or _bare behind it (exec_verbs_table.py looks for that).
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>

#include "sim/base/host_device.h"
#include "sim/exec/memory.h"

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

using Words = exec::Array<std::uint32_t>;

// What a benchmark works on: random words, and room for results. A backend adds to it how it is
// timed, time(run) and time(prepare, run), of which only `run` counts, and copy(words, to).
template <class E>
struct Case {
  using Exec = E;
  explicit Case(benchmark::State& s)
      : state(s),
        n(static_cast<std::size_t>(s.range(0))),
        in(Exec::backend, n),
        out(Exec::backend, n + 1) {
    exec.forEach("words", n, FillWords{in.data()});
  }
  benchmark::State& state;
  Exec exec;
  std::size_t n;
  Words in, out;
  exec::DeviceValue<std::uint32_t> result{Exec::backend};
};

// A row for each size whose arrays fit into the memory.
template <class Timed, class Run>
void add(const std::string& name, const Run& run) {
  constexpr std::size_t kMostBytesPerItem = 40;
  for (const std::int64_t n : kSizes) {
    if (static_cast<std::size_t>(n) * kMostBytesPerItem > Timed::memory()) continue;
    const auto timed = [run](benchmark::State& state) {
      Timed c(state);
      run(c);
      state.SetItemsProcessed(state.iterations() * state.range(0));
    };
    benchmark::RegisterBenchmark((toString(Timed::Exec::backend) + ("/" + name)).c_str(), timed)
        ->Arg(n)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}
// Of one that needs no new input for each run.
template <class Timed, class Run>
void addPlain(const std::string& name, const Run& run) {
  add<Timed>(name, [run](Timed& c) { c.time([&] { run(c); }); });
}

// Pairs of 32-bit keys, all bits random, and 32-bit values; by the lowest `bits` bits.
template <class Timed>
void addSort(const std::string& name, int bits) {
  add<Timed>(name, [bits](Timed& c) {
    exec::DoubleBuffer<std::uint32_t> keys(Timed::Exec::backend, c.n);
    exec::DoubleBuffer<std::uint32_t> values(Timed::Exec::backend, c.n);
    c.time([&] { c.copy(c.in, keys.data()), c.copy(c.in, values.data()); },
           [&] {
             c.exec.sortByKey("sort", keys, values, c.n, {0, bits});
           });
    const auto ofBits = [bits](std::uint32_t key) { return key & 0xffffffffu >> (32 - bits); };
    if (Timed::Exec::backend == Backend::cpu &&
        !std::is_sorted(keys.data(), keys.data() + c.n,
                        [&](std::uint32_t a, std::uint32_t b) { return ofBits(a) < ofBits(b); }))
      c.state.SkipWithError("not sorted");
  });
}

template <class Timed>
void addVerbs() {
  addPlain<Timed>("forEach", [](Timed& c) { c.exec.forEach("add", c.n, Increment{c.in.data()}); });
  addPlain<Timed>("fill", [](Timed& c) { c.exec.fill("fill", c.out.data(), c.n, 7u); });
  addPlain<Timed>("reduce", [](Timed& c) {
    c.exec.reduce("sum", c.n, 0u, WordAt{c.in.data()}, AddWords{}, c.result);
  });
  addPlain<Timed>("offsets",
                  [](Timed& c) { c.exec.offsets("scan", c.in.data(), c.out.data(), c.n); });
  addSort<Timed>("sortByKey", 32), addSort<Timed>("sortByKey_12_bits", 12);
  addPlain<Timed>("select", [](Timed& c) {
    c.exec.select("select", c.n, WordAt{c.in.data()}, HalfOf{c.in.data()}, c.out.data(), c.result);
  });
  addPlain<Timed>("teams", [](Timed& c) {
    const exec::TeamShape shape{SumOfTeam::teamsFor(c.n), SumOfTeam::kThreads};
    c.exec.teams("teams", shape, SumOfTeam{c.in.data(), c.n, c.out.data()});
  });
}

}  // namespace cellscope::bench
