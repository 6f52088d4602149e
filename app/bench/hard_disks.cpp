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
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/engine.h"
#include "sim/exec/cpu_pool.h"
#include "sim/exec/memory.h"
#include "sim/exec/peers.h"
#include "sim/io/container.h"
#include "sim/modes/gcmc/start.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/mode_core.h"

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
  return Measurement({bytes / static_cast<double>(size.n)}, kStoredPerDisk,
                     "two coordinates and an identity", disks.state, {disks.mode});
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

// One system on several GPUs at once: hard disks at this state point, repeated side by side, and
// the checkerboard at that of gcmc.cpp.

constexpr std::int64_t kRepeatedSide = 1024;  // of the state that is repeated
constexpr std::int64_t kLargeSide = 16384;  // beyond, a single sweep takes as long as some do here
constexpr double kBoardDensity = 0.67;

// `times` by `times` copies, with identities of their own. A row of the grid has its even columns
// before its odd ones.
DiskCells repeatedCells(const DiskCells& one, int times, std::uint32_t disks) {
  GridInfo grid = one.grid;
  grid.m *= times;
  DiskCells all(Backend::cpu, grid);
  const auto half = static_cast<std::size_t>(one.grid.m / 2);
  const auto copyRow = [&](int y) {
    for (int part = 0; part < 2 * times; ++part) {  // even columns of all copies, then odd ones
      const bool odd = part >= times;
      const std::size_t to = grid.cell(odd, y) + (part - (odd ? times : 0)) * half;
      const std::size_t from = one.grid.cell(odd, y % one.grid.m);
      const auto copy = static_cast<std::uint32_t>(y / one.grid.m * times + part % times);
      copyRows({{one.disk.data() + from, one.id.data() + from, one.count.data() + from,
                 one.grid.cellCount()},
                {all.disk.data() + to, all.id.data() + to, all.count.data() + to, grid.cellCount()},
                half},
               Backend::cpu, Backend::cpu, 4);
      for (int i = 0; i < 4; ++i)
        for (std::size_t c = to; c < to + half; ++c)
          if (i < all.count.data()[c]) all.id.data()[i * grid.cellCount() + c] += copy * disks;
    }
  };
  exec::CpuPool(0).ranges(static_cast<std::size_t>(grid.m), 16, [&](std::size_t b, std::size_t e) {
    for (std::size_t y = b; y < e; ++y) copyRow(static_cast<int>(y));
  });
  return all;
}

// Of large arrays that of the checksums of many parts, which are made at the same time.
std::uint64_t checksumOf(const exec::Array<Vec2>& disks) {
  const auto of = [](const void* data, std::size_t bytes) {
    return io::crc64({static_cast<const char*>(data), bytes});
  };
  constexpr std::size_t kParts = 256;
  if (disks.bytes() < std::size_t{1} << 34) return of(disks.data(), disks.bytes());
  std::vector<std::uint64_t> part(kParts);
  exec::CpuPool(0).ranges(kParts, 1, [&](std::size_t b, std::size_t e) {
    for (std::size_t k = b; k < e; ++k) {
      const std::size_t first = disks.size() * k / kParts;
      part[k] = of(disks.data() + first, (disks.size() * (k + 1) / kParts - first) * sizeof(Vec2));
    }
  });
  return of(part.data(), kParts * sizeof part[0]);
}

Measurement domainRate(const Size& size, const Setup& setup) {
  ExecConfig config = setup.exec;
  config.devices = config.domains = std::stoi(size.variant);
  const std::uint64_t sweeps = size.n > kLargeSide * kLargeSide ? 16 : 100;
  std::unique_ptr<MpmcEngine> engine;
  const std::string why = whyRefused([&] {
    const GridInfo grid = chooseGrid(size.n, 0.698).grid;
    requireMemory(size.n, "disks",
                  {.building = mpmcBytes(grid, config),
                   .running = mpmcBytes(grid, config),
                   .host = 2 * DiskCells::layout(grid).bytes()},
                  config, "");
    if (config.domains == 1) refuseManySlots(grid);
    engine = makeMpmcEngine(config);
  });
  if (!why.empty()) return {.skipped = why};
  const auto n = static_cast<double>(size.n);
  {
    const Melted base = meltedDisks(kRepeatedSide * kRepeatedSide, setup.exec);
    const auto times = static_cast<int>(std::lround(std::sqrt(n) / kRepeatedSide));
    engine->upload(repeatedCells(dynamic_cast<const HardDisksMode&>(*base.mode).cells(), times,
                                 kRepeatedSide * kRepeatedSide));
  }
  MpmcParameters p;
  std::uint64_t sweep = 0;
  const auto trials = [&] {
    const MpmcCounters c = engine->counters();
    return static_cast<double>(c.attempted[0] + c.attempted[1] + c.attempted[2] + c.attempted[3]);
  };
  const auto rate = [&] {
    const double before = trials();
    const double seconds = timedOnce([&] { engine->sweeps(p, sweep, sweeps); });
    sweep += sweeps;
    return (trials() - before) / seconds;
  };
  rate();
  Measurement m;
  m.state = fmt::format("{} disks{}{}; disks after {} sweeps: crc64 {:016x}", size.n,
                        config.domains > 1 ? ", " : "", exec::domainWords(config), sweeps,
                        checksumOf(engine->download().disk));
  rate();
  m.values = repeated(rate);
  const MpmcEngine::OverlapReport report = engine->check();
  if (report.overlaps > 0 || report.misplaced > 0 ||
      report.disks != static_cast<std::uint64_t>(size.n))
    throw RunError("{} disks of {}, {} overlap, {} outside their cells", report.disks, size.n,
                   report.overlaps, report.misplaced);
  std::tie(m.limit, m.note) =
      sweepLimit(n, trials() / (static_cast<double>(sweep) * n), limitsOf(setup.exec));
  m.limit *= config.devices;
  return m;
}

Measurement boardRate(const Size& size, const Setup& setup) {
  constexpr int kAttempts = 16, kBoardSweeps = 10;
  ExecConfig config = setup.exec;
  config.devices = config.domains = std::stoi(size.variant);
  const Box box = cubicBox(std::cbrt(static_cast<double>(size.n) / kBoardDensity));
  GcmcSettings s;
  s.temperature = 1.2, s.activity = std::exp(-2.5), s.cutoff = 2.5, s.tail = true;
  s.ratio[0] = 0.3, s.ratio[1] = s.ratio[2] = 0.35;
  const GcmcRules rules = makeGcmcRules(s, box);
  const auto engine =
      makeGcmcEngine("checkerboard", exec::makeExec(config), {.attempts = kAttempts});
  const std::string why = whyRefused([&] {
    engine->upload(gcmc::latticeState(box, static_cast<std::size_t>(size.n), false), rules);
  });
  if (!why.empty()) return {.skipped = why};
  engine->advance(static_cast<std::uint64_t>(10 * size.n));  // melts the lattice
  const std::uint64_t sweeps =
      gcmcBoardCells(box, rules.pair).allCells() * kAttempts * kBoardSweeps;
  const auto rate = [&] {
    const double seconds = timedOnce([&] { engine->advance(sweeps); });
    return static_cast<double>(sweeps) / seconds;
  };
  rate();
  Measurement m;
  m.state =
      fmt::format("{} particles{}{}; energy {}", engine->count(), config.domains > 1 ? ", " : "",
                  exec::domainWords(config), engine->energy());
  m.values = repeated(rate);
  return m;
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
          sampleTime),
      Row("hard_disks", "domains", "trial moves per second of one system on several GPUs",
          "moves/s", "instructions per trial move; bytes per disk and sweep; of all GPUs",
          onGpus({4096, 16384, 32768, 45056}, kLargeSide, true), domainRate),
      Row("gcmc", "gcmc_domains", "trial moves per second of one checkerboard on several GPUs",
          "moves/s", "", onGpus({1000000, 8000000, 32000000}, 8000000), boardRate)};
}

}  // namespace cellscope::bench
