// The verbs of the CPU beside oneTBB's own algorithms, with all threads that are available. Items
// per second. Only the verb is timed, not the renewal of its input.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "sim/exec/cpu_exec.h"
#include "sim/exec/machine.h"
#include "tests/bench/exec_verbs_bench.h"

namespace cellscope::bench {
namespace {

using Words = exec::Array<std::uint32_t>;
using Range = tbb::blocked_range<std::size_t>;

// What a benchmark works on: random words, and room for results.
struct Case {
  explicit Case(std::size_t items) : n(items), in(Backend::cpu, n), out(Backend::cpu, n + 1) {
    exec.forEach("words", n, FillWords{in.data()});
  }
  exec::CpuExec exec;
  std::size_t n;
  Words in, out;
  exec::DeviceValue<std::uint32_t> result{Backend::cpu};
};

// `prepare` and then `run`, over and over; only `run` is timed.
template <class Prepare, class Run>
void timeRuns(benchmark::State& state, const Prepare& prepare, const Run& run) {
  double best = 1e300;
  for (auto _ : state) {
    prepare();
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(s.count());
    best = std::min(best, s.count());
  }
  // On a shared machine, the undisturbed runs.
  state.counters["best_us"] = 1e6 * best;
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// The largest size only where its arrays fit.
template <class Run>
void add(const std::string& name, const Run& run) {
  constexpr std::size_t kMostBytesPerItem = 32;
  for (const std::int64_t n : kSizes) {
    if (static_cast<std::size_t>(n) * kMostBytesPerItem > exec::hostMemory()) continue;
    benchmark::RegisterBenchmark(("cpu/" + name).c_str(), run)
        ->Arg(n)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}
// One that needs no new input for each run.
template <class Run>
void addPlain(const std::string& name, const Run& run) {
  add(name, [run](benchmark::State& state) {
    Case c(static_cast<std::size_t>(state.range(0)));
    timeRuns(
        state, [] {}, [&] { run(c); });
  });
}

void addForEach() {
  addPlain("forEach", [](Case& c) { c.exec.forEach("add", c.n, Increment{c.in.data()}); });
  addPlain("forEach_tbb", [](Case& c) {
    const Increment f{c.in.data()};
    tbb::parallel_for(Range(0, c.n, 1024), [&](const Range& r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) f(i);
    });
  });
}

void addFill() {
  addPlain("fill", [](Case& c) { c.exec.fill("fill", c.out.data(), c.n, 7u); });
  addPlain("fill_tbb", [](Case& c) {
    tbb::parallel_for(Range(0, c.n, 1024), [&](const Range& r) {
      std::fill(c.out.data() + r.begin(), c.out.data() + r.end(), 7u);
    });
  });
}

void addReduce() {
  addPlain("reduce", [](Case& c) {
    c.exec.reduce("sum", c.n, 0u, WordAt{c.in.data()}, AddWords{}, c.result);
    benchmark::DoNotOptimize(c.exec.read(c.result));
  });
  addPlain("reduce_tbb", [](Case& c) {
    benchmark::DoNotOptimize(tbb::parallel_reduce(
        Range(0, c.n, 1024), 0u,
        [&](const Range& r, std::uint32_t sum) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) sum += c.in.data()[i];
          return sum;
        },
        AddWords{}));
  });
}

void addOffsets() {
  addPlain("offsets", [](Case& c) { c.exec.offsets("scan", c.in.data(), c.out.data(), c.n); });
  addPlain("offsets_tbb", [](Case& c) {  // exclusive; the total at the end
    c.out.data()[c.n] = tbb::parallel_scan(
        Range(0, c.n, 1024), 0u,
        [&](const Range& r, std::uint32_t sum, bool final) {
          const std::uint32_t* in = c.in.data();
          std::uint32_t* out = c.out.data();
          for (std::size_t i = r.begin(); i < r.end(); ++i) {
            if (final) out[i] = sum;
            sum += in[i];
          }
          return sum;
        },
        AddWords{});
  });
}

// Pairs of 32-bit keys, all bits random, and 32-bit values; by the lowest `bits` bits.
void addSort(const std::string& name, int bits) {
  const std::uint32_t mask = 0xffffffffu >> (32 - bits);
  add(name, [bits, mask](benchmark::State& state) {
    Case c(static_cast<std::size_t>(state.range(0)));
    exec::DoubleBuffer<std::uint32_t> keys(Backend::cpu, c.n), values(Backend::cpu, c.n);
    const auto renew = [&] {
      std::copy_n(c.in.data(), c.n, keys.data());
      std::copy_n(c.in.data(), c.n, values.data());
    };
    timeRuns(state, renew, [&] { c.exec.sortByKey("sort", keys, values, c.n, {0, bits}); });
    if (!std::is_sorted(keys.data(), keys.data() + c.n,
                        [&](std::uint32_t a, std::uint32_t b) { return (a & mask) < (b & mask); }))
      state.SkipWithError("not sorted");
  });
  // Not stable, and so not all that the verb does.
  add(name + "_tbb", [mask](benchmark::State& state) {
    struct Pair {
      std::uint32_t key, value;
    };
    Case c(static_cast<std::size_t>(state.range(0)));
    std::vector<Pair> pairs(c.n);
    const auto renew = [&] {
      for (std::size_t i = 0; i < c.n; ++i) pairs[i] = {c.in.data()[i], c.in.data()[i]};
    };
    timeRuns(state, renew, [&] {
      tbb::parallel_sort(pairs.begin(), pairs.end(), [mask](const Pair& a, const Pair& b) {
        return (a.key & mask) < (b.key & mask);
      });
    });
  });
}

void addSelect() {
  addPlain("select", [](Case& c) {
    c.exec.select("select", c.n, WordAt{c.in.data()}, HalfOf{c.in.data()}, c.out.data(), c.result);
  });
  // oneTBB has no selection; this is its documented way to do it with a scan.
  addPlain("select_tbb", [](Case& c) {
    benchmark::DoNotOptimize(tbb::parallel_scan(
        Range(0, c.n, 1024), std::size_t{0},
        [&](const Range& r, std::size_t at, bool final) {
          const std::uint32_t* in = c.in.data();
          std::uint32_t* out = c.out.data();
          if (final) {
            for (std::size_t i = r.begin(); i < r.end(); ++i)
              if (in[i] & 1) out[at++] = in[i];
          } else {
            for (std::size_t i = r.begin(); i < r.end(); ++i) at += in[i] & 1;
          }
          return at;
        },
        std::plus<std::size_t>{}));
  });
}

void addTeams() {
  addPlain("teams", [](Case& c) {
    c.exec.teams("teams", {SumOfTeam::teamsFor(c.n), SumOfTeam::kThreads},
                 SumOfTeam{c.in.data(), c.n, c.out.data()});
  });
  addPlain("teams_tbb", [](Case& c) {
    const SumOfTeam kernel{c.in.data(), c.n, c.out.data()};
    tbb::parallel_for(0, SumOfTeam::teamsFor(c.n), [&](int team) {
      std::uint32_t sums[SumOfTeam::kThreads];
      for (int t = 0; t < SumOfTeam::kThreads; ++t) sums[t] = kernel.sumOf(team, t);
      kernel.out[team] = SumOfTeam::total(sums);
    });
  });
}

[[maybe_unused]] const bool registered = [] {
  addForEach(), addFill(), addReduce(), addOffsets();
  addSort("sortByKey", 32), addSort("sortByKey_12_bits", 12);
  addSelect(), addTeams();
  return true;
}();

}  // namespace
}  // namespace cellscope::bench
