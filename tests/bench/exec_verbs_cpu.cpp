// The verbs of the CPU beside oneTBB's own algorithms, with all threads that are available. Items
// per second. Only the verb is timed, not the renewal of its input.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include "sim/exec/cpu_exec.h"
#include "sim/exec/machine.h"
#include "tests/bench/exec_verbs_bench.h"

namespace cellscope::bench {
namespace {

using Range = tbb::blocked_range<std::size_t>;

struct CpuCase : Case<exec::CpuExec> {
  using Case::Case;
  static std::size_t memory() { return exec::hostMemory(); }
  void copy(const Words& from, std::uint32_t* to) const { std::copy_n(from.data(), n, to); }
  template <class Run>
  void time(const Run& run) {
    time([] {}, run);
  }
  template <class Prepare, class Run>
  void time(const Prepare& prepare, const Run& run) {
    double best = 1e300;
    for (auto _ : state) {
      prepare();
      const auto begin = std::chrono::steady_clock::now();
      run();
      const std::chrono::duration<double> s = std::chrono::steady_clock::now() - begin;
      state.SetIterationTime(s.count());
      best = std::min(best, s.count());
    }
    state.counters["best_us"] = 1e6 * best;  // on a shared machine, the undisturbed runs
  }
};

// Not stable, and so not all that the verb does.
void addSorted(const std::string& name, int bits) {
  const std::uint32_t mask = 0xffffffffu >> (32 - bits);
  add<CpuCase>(name, [mask](CpuCase& c) {
    struct Pair {
      std::uint32_t key, value;
    };
    std::vector<Pair> pairs(c.n);
    const auto renew = [&] {
      for (std::size_t i = 0; i < c.n; ++i) pairs[i] = {c.in.data()[i], c.in.data()[i]};
    };
    c.time(renew, [&] {
      tbb::parallel_sort(pairs.begin(), pairs.end(), [mask](const Pair& a, const Pair& b) {
        return (a.key & mask) < (b.key & mask);
      });
    });
  });
}

void addLibrary() {
  addPlain<CpuCase>("forEach_tbb", [](CpuCase& c) {
    const Increment f{c.in.data()};
    tbb::parallel_for(Range(0, c.n, 1024), [&](const Range& r) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) f(i);
    });
  });
  addPlain<CpuCase>("fill_tbb", [](CpuCase& c) {
    tbb::parallel_for(Range(0, c.n, 1024), [&](const Range& r) {
      std::fill(c.out.data() + r.begin(), c.out.data() + r.end(), 7u);
    });
  });
  addPlain<CpuCase>("reduce_tbb", [](CpuCase& c) {
    benchmark::DoNotOptimize(tbb::parallel_reduce(
        Range(0, c.n, 1024), 0u,
        [&](const Range& r, std::uint32_t sum) {
          for (std::size_t i = r.begin(); i < r.end(); ++i) sum += c.in.data()[i];
          return sum;
        },
        AddWords{}));
  });
  addPlain<CpuCase>("offsets_tbb", [](CpuCase& c) {  // exclusive; the total at the end
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
  // oneTBB has no selection; this is its documented way to do it with a scan.
  addPlain<CpuCase>("select_tbb", [](CpuCase& c) {
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
  addPlain<CpuCase>("teams_tbb", [](CpuCase& c) {
    const SumOfTeam kernel{c.in.data(), c.n, c.out.data()};
    tbb::parallel_for(0, SumOfTeam::teamsFor(c.n), [&](int team) {
      std::uint32_t sums[SumOfTeam::kThreads];
      for (int t = 0; t < SumOfTeam::kThreads; ++t) sums[t] = kernel.sumOf(team, t);
      kernel.out[team] = SumOfTeam::total(sums);
    });
  });
}

[[maybe_unused]] const bool registered = [] {
  addVerbs<CpuCase>();
  addLibrary();
  addSorted("sortByKey_tbb", 32), addSorted("sortByKey_12_bits_tbb", 12);
  return true;
}();

}  // namespace
}  // namespace cellscope::bench
