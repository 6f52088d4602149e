// One system on several GPUs at once: hard disks at the state point of hard_disks.cpp, repeated
// side by side, and the checkerboard at that of gcmc.cpp.
#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "app/bench/bench.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/base/error.h"
#include "sim/exec/cpu_pool.h"
#include "sim/exec/memory.h"
#include "sim/exec/peers.h"
#include "sim/io/container.h"
#include "sim/modes/gcmc/start.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/mode_core.h"

namespace cellscope::bench {
namespace {

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
  constexpr int kAttempts = 16, kSweeps = 10;
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
  const std::uint64_t sweeps = gcmcBoardCells(box, rules.pair).allCells() * kAttempts * kSweeps;
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

std::vector<Row> domainRows() {
  return {Row("hard_disks", "domains", "trial moves per second of one system on several GPUs",
              "moves/s", "instructions per trial move; bytes per disk and sweep; of all GPUs",
              onGpus({4096, 16384, 32768, 45056}, kLargeSide, true), domainRate),
          Row("gcmc", "gcmc_domains", "trial moves per second of one checkerboard on several GPUs",
              "moves/s", "", onGpus({1000000, 8000000, 32000000}, 8000000), boardRate)};
}

}  // namespace cellscope::bench
