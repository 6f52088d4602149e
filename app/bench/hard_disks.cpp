// Hard disks at the state point of Anderson et al. 2013, section 5: packing 0.698, n_M = 4, d =
// 0.16, no longer a lattice; the time of bursts of at least 100 sweeps and 20 ms.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>
#include <tuple>

#include "app/bench/bench.h"
#include "sim/algo/mpmc/engine.h"

namespace cellscope::bench {
namespace {

constexpr std::uint64_t kSweeps = 100;

Measurement sweepRate(const Size& size, const Setup& setup) {
  const Melted disks =
      meltedDisks(size.n, setup.exec, size.variant.empty() ? "auto" : size.variant);
  // Short bursts would measure the ends of the call as well.
  constexpr double kBurst = 0.02;
  const double seconds = timedOnce([&] { disks.mode->advance(kSweeps); });
  const auto sweeps =
      static_cast<std::uint64_t>(kSweeps * std::max(1.0, std::ceil(kBurst / seconds)));
  const double before = disks.mode->work(), from = static_cast<double>(disks.mode->step());
  Measurement m = workPerSecond(disks.mode, sweeps);
  m.state = disks.state;
  const double number = static_cast<double>(size.n);
  const double made = static_cast<double>(disks.mode->step()) - from;
  const double movesPerDisk = (disks.mode->work() - before) / (made * number);
  std::tie(m.limit, m.note) = sweepLimit(number, movesPerDisk, limitsOf(setup.exec));
  return m;
}

// Systems side by side, each on a thread of the host, as `cellscope sweep work` runs them.
Measurement systemsRate(const Size& size, const Setup& setup) {
  constexpr std::uint64_t kMany = 4000;  // sweeps
  constexpr std::size_t kSystems = 64;
  Setup own = setup;
  const std::size_t threads = std::min(describeMode("hard_disks").together, kSystems);
  own.exec.together = static_cast<int>(threads);
  std::vector<std::shared_ptr<Mode>> modes;
  Measurement m;
  for (std::size_t k = 0; k < kSystems; ++k) {
    const Melted disks = meltedDisks(size.n, own.exec);
    modes.push_back(disks.mode), m.state = disks.state;
  }
  m.modes = modes;
  const double made = modes[0]->work() / static_cast<double>(modes[0]->step());  // a sweep
  m.values = repeated([&] {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> workers;
    const auto work = [&] {
      return std::accumulate(modes.begin(), modes.end(), 0.0,
                             [](double sum, const auto& mode) { return sum + mode->work(); });
    };
    const double before = work();
    const double seconds = timedOnce([&] {
      for (std::size_t t = 0; t < threads; ++t)
        workers.emplace_back([&] {
          for (std::size_t k = next++; k < kSystems; k = next++) modes[k]->advance(kMany);
        });
      for (std::thread& w : workers) w.join();
    });
    return (work() - before) / seconds;
  });
  const double disks = static_cast<double>(size.n);
  std::tie(m.limit, m.note) = sweepLimit(disks, made / disks, limitsOf(setup.exec));
  m.note += fmt::format("; {} systems, {} at a time", kSystems, threads);
  return m;
}

// One thread and two in turn, so that a change of the machine's own speed meets both.
Measurement speedupOf(const Size& size, const Setup& setup) {
  ExecConfig one = setup.exec, two = setup.exec;
  one.threads = 1;
  two.threads = 2;
  const Melted base = meltedDisks(size.n, one), disks = meltedDisks(size.n, two);
  const auto speedup = [&] {
    const double rate = workRate(*base.mode, kSweeps);
    return workRate(*disks.mode, kSweeps) / rate;
  };
  return {repeated(speedup), 2, "two threads", disks.state, {base.mode, disks.mode}};
}

Measurement memoryPerDisk(const Size& size, const Setup& setup) {
  const Melted disks = meltedDisks(size.n, setup.exec);
  const double bytes = static_cast<double>(disks.mode->engineBytes());
  return {{bytes / static_cast<double>(size.n)},
          kStoredPerDisk,
          "two coordinates and an identity",
          disks.state,
          {disks.mode}};
}

Measurement sampleTime(const Size& size, const Setup& setup) {
  const Melted disks = meltedDisks(size.n, setup.exec);
  Measurement m = disks.measurement();
  m.values = milliseconds([&] { disks.mode->sample(); });
  m.limit = millisecondsFor(8 * static_cast<double>(size.n), setup.exec);
  if (m.limit > 0) m.note = "reading 8 B per disk once";
  return m;
}

std::vector<Size> sizesOfSweeps() {
  std::vector<Size> all = joined({{{"256^2 one thread", Backend::cpu, 65536, 1, ""},
                                   {"256^2 two threads", Backend::cpu, 65536, 2, ""}},
                                  squares({1024}, {Backend::cpu}),
                                  squares({64, 256, 1024, 4096}, {Backend::cuda})});
  for (const MpmcMappingInfo& m : kMpmcMappings)
    for (Size s : squares({64, 256, 1024}, {Backend::cuda})) {
      if (m.tiles && s.n > 65536) continue;  // too large for it
      s.label += fmt::format(" {}", m.key);
      s.variant = m.key;
      all.push_back(s);
    }
  return all;
}

}  // namespace

std::vector<Row> hardDiskRows() {
  return {
      Row("hard_disks", "hard_disks", "trial moves per second", "moves/s",
          "instructions per trial move; bytes per disk and sweep", sizesOfSweeps(), sweepRate),
      Row("hard_disks", "hard_disks systems", "trial moves per second of 64 systems side by side",
          "moves/s", "instructions per trial move; bytes per disk and sweep",
          squares({64}, {Backend::cuda}), systemsRate),
      Row("hard_disks", "hard_disks", "two threads over one", "times", "two threads",
          {{"256^2 speedup", Backend::cpu, 65536, 2, ""}}, speedupOf),
      Row("hard_disks", "memory", "engine memory per disk", "B", "two coordinates and an identity",
          squares({256, 1024}, {Backend::cpu, Backend::cuda}), memoryPerDisk),
      Row("hard_disks", "sample", "one sample of all observables (pressure, psi6, g(r))", "ms",
          "reading 8 B per disk once", squares({256, 1024}, {Backend::cpu, Backend::cuda}),
          sampleTime)};
}

}  // namespace cellscope::bench
