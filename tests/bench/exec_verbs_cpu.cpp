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

#include "sim/exec/bounds.h"
#include "sim/exec/cpu_exec.h"
#include "sim/exec/host_memory.h"
#include "tests/bench/exec_verbs_bench.h"

namespace cellscope::bench {
namespace {

using Words = exec::Array<std::uint32_t>;
using Range = tbb::blocked_range<std::size_t>;

// `prepare` and then `run`, over and over; only `run` is timed.
template <class Prepare, class Run>
void timeRuns(benchmark::State& state, const Prepare& prepare, const Run& run) {
  for (auto _ : state) {
    prepare();
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(s.count());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
template <class Run>
void timeRuns(benchmark::State& state, const Run& run) {
  timeRuns(
      state, [] {}, run);
}

// What a benchmark works on: words by chance, and room for results.
struct Case {
  explicit Case(benchmark::State& state)
      : n(static_cast<std::size_t>(state.range(0))), in(Backend::cpu, n), out(Backend::cpu, n + 1) {
    exec.forEach("words", n, FillWords{in.data()});
  }
  exec::CpuExec exec;
  std::size_t n;
  Words in, out;
  exec::DeviceValue<std::uint32_t> result{Backend::cpu};
};

void forEach(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] { c.exec.forEach("add", c.n, Increment{c.in.data()}); });
}
void forEachTbb(benchmark::State& state) {
  Case c(state);
  const Increment f{c.in.data()};
  timeRuns(state, [&] {
    tbb::parallel_for(Range(0, c.n, 1024), [&](const Range& r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) f(i);
    });
  });
}

void reduce(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] {
    c.exec.reduce("sum", c.n, 0u, WordAt{c.in.data()}, AddWords{}, c.result);
    benchmark::DoNotOptimize(c.exec.read(c.result));
  });
}
void reduceTbb(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] {
    benchmark::DoNotOptimize(tbb::parallel_reduce(
        Range(0, c.n, 1024), 0u,
        [&](const Range& r, std::uint32_t sum) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) sum += c.in.data()[i];
          return sum;
        },
        AddWords{}));
  });
}

void exclusiveScan(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] { c.exec.exclusiveScan("scan", c.in.data(), c.out.data(), c.n); });
}
void exclusiveScanTbb(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] {
    benchmark::DoNotOptimize(tbb::parallel_scan(
        Range(0, c.n, 1024), 0u,
        [&](const Range& r, std::uint32_t sum, bool final) {
          const std::uint32_t* in = c.in.data();
          std::uint32_t* out = c.out.data();
          if (final)
            for (std::size_t i = r.begin(); i < r.end(); ++i) {
              out[i] = sum;
              sum += in[i];
            }
          else
            for (std::size_t i = r.begin(); i < r.end(); ++i) sum += in[i];
          return sum;
        },
        AddWords{}));
  });
}

// Pairs of 32-bit keys, all bits by chance, and 32-bit values.
void sortByKey(benchmark::State& state) {
  Case c(state);
  exec::DoubleBuffer<std::uint32_t> keys(Backend::cpu, c.n), values(Backend::cpu, c.n);
  const auto renew = [&] {
    std::copy_n(c.in.data(), c.n, keys.data());
    std::copy_n(c.in.data(), c.n, values.data());
  };
  timeRuns(state, renew, [&] { c.exec.sortByKey("sort", keys, values, c.n); });
  if (!std::is_sorted(keys.data(), keys.data() + c.n)) state.SkipWithError("not sorted");
}
void sortByKey30Bits(benchmark::State& state) {
  Case c(state);
  exec::DoubleBuffer<std::uint32_t> keys(Backend::cpu, c.n), values(Backend::cpu, c.n);
  const auto renew = [&] {
    std::copy_n(c.in.data(), c.n, keys.data());
    std::copy_n(c.in.data(), c.n, values.data());
  };
  timeRuns(state, renew, [&] { c.exec.sortByKey("sort", keys, values, c.n, {0, 30}); });
}
void sortByKeyTbb(benchmark::State& state) {
  struct Pair {
    std::uint32_t key, value;
    bool operator<(const Pair& o) const { return key < o.key; }
  };
  Case c(state);
  std::vector<Pair> pairs(c.n);
  const auto renew = [&] {
    for (std::size_t i = 0; i < c.n; ++i) pairs[i] = {c.in.data()[i], c.in.data()[i]};
  };
  timeRuns(state, renew, [&] { tbb::parallel_sort(pairs.begin(), pairs.end()); });
}

void select(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] {
    c.exec.select("select", c.n, WordAt{c.in.data()}, HalfOf{c.in.data()}, c.out.data(), c.result);
  });
}
void selectSerial(benchmark::State& state) {
  Case c(state);
  timeRuns(state, [&] {
    benchmark::DoNotOptimize(std::copy_if(c.in.data(), c.in.data() + c.n, c.out.data(),
                                          [](std::uint32_t w) { return w & 1; }));
  });
}

void histogram(benchmark::State& state) {
  Case c(state);
  Words counts(Backend::cpu, kBins);
  timeRuns(state, [&] { c.exec.histogram("bins", c.n, BinAt{c.in.data()}, counts.data(), kBins); });
}

void runLengths(benchmark::State& state) {
  Case c(state);
  Words lengths(Backend::cpu, c.n);
  c.exec.forEach("runs", c.n, FillRuns{c.in.data()});
  timeRuns(state, [&] {
    c.exec.runLengths("runs", c.in.data(), c.n, c.out.data(), lengths.data(), c.result);
  });
}

void boundingBox(benchmark::State& state) {
  Case c(state);
  exec::Array<Vec3> points(Backend::cpu, c.n);
  for (std::size_t i = 0; i < c.n; ++i) {
    const auto x = static_cast<float>(mixedWord(i));
    points.data()[i] = {x, -x, 0.5f * x};
  }
  exec::DeviceValue<exec::Bounds> box(Backend::cpu);
  timeRuns(state, [&] {
    exec::boundingBox(c.exec, "box", c.n, PointAt{points.data()}, box);
    benchmark::DoNotOptimize(box.data());
  });
}

// The largest size only where its arrays fit.
void add(const char* name, void (*run)(benchmark::State&)) {
  constexpr std::size_t kMostBytesPerItem = 32;
  for (const std::int64_t n : kSizes) {
    if (static_cast<std::size_t>(n) * kMostBytesPerItem > exec::hostMemory()) continue;
    benchmark::RegisterBenchmark((std::string("cpu/") + name).c_str(), run)
        ->Arg(n)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

[[maybe_unused]] const bool registered = [] {
  add("forEach", forEach), add("forEach_tbb", forEachTbb);
  add("reduce", reduce), add("reduce_tbb", reduceTbb);
  add("exclusiveScan", exclusiveScan), add("exclusiveScan_tbb", exclusiveScanTbb);
  add("sortByKey", sortByKey), add("sortByKey_30_bits", sortByKey30Bits);
  add("sortByKey_tbb", sortByKeyTbb);
  add("select", select), add("select_one_thread", selectSerial);
  add("histogram", histogram), add("runLengths", runLengths), add("boundingBox", boundingBox);
  return true;
}();

}  // namespace
}  // namespace cellscope::bench
