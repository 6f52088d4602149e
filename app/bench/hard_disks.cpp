// Hard disks at the state point of S3, section 5: packing 0.698, n_M = 4, d = 0.16, no longer a
// lattice; the time of bursts of at least 100 sweeps and 20 ms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/bench/bench.h"
#include "app/bench/melted.h"
#include "app/bench/sweep_limit.h"
#include "sim/algo/mpmc/mappings.h"

namespace cellscope::bench {
namespace {

constexpr std::uint64_t kSweeps = 100;

// Sweeps of a burst: short ones would measure the ends of the call as well.
std::uint64_t burstOf(Mode& mode) {
  constexpr double kSeconds = 0.02;
  const double seconds = timedOnce([&] { mode.advance(kSweeps); });
  return static_cast<std::uint64_t>(kSweeps * std::max(1.0, std::ceil(kSeconds / seconds)));
}

double rateOf(Mode& mode, std::uint64_t sweeps) {
  const double before = mode.work();
  const double seconds = timedOnce([&] { mode.advance(sweeps); });
  return (mode.work() - before) / seconds;
}

Measurement sweepRate(std::int64_t n, const ExecConfig& config, const std::string& mapping) {
  const Melted disks = meltedDisks(n, config, mapping);
  const std::uint64_t sweeps = burstOf(*disks.mode);
  Measurement m;
  m.state = disks.state;
  m.modes = {disks.mode};
  const double before = disks.mode->work(), from = static_cast<double>(disks.mode->step());
  for (int i = 0; i < kRepeats; ++i) m.values.push_back(rateOf(*disks.mode, sweeps));
  const double number = static_cast<double>(n);
  const double made = static_cast<double>(disks.mode->step()) - from;
  const double movesPerDisk = (disks.mode->work() - before) / (made * number);
  std::tie(m.limit, m.note) = sweepLimit(number, movesPerDisk, limitsOf(config));
  return m;
}

Case sweeps(const std::string& name, std::int64_t side, Backend backend, int threads,
            const std::string& mapping = "auto") {
  return {.name = name,
          .measures = "trial moves per second",
          .unit = "moves/s",
          .backend = backend,
          .threads = threads,
          .run = [=](const ExecConfig& c) { return sweepRate(side * side, c, mapping); }};
}

// One thread and two in turn, so that a change of the machine's own speed meets both.
Measurement speedup(const ExecConfig& config) {
  ExecConfig one = config, two = config;
  one.threads = 1;
  two.threads = 2;
  const Melted base = meltedDisks(65536, one), disks = meltedDisks(65536, two);
  Measurement m;
  m.state = disks.state;
  m.modes = {base.mode, disks.mode};
  for (int i = 0; i < kRepeats; ++i) {
    const double rate = rateOf(*base.mode, kSweeps);
    m.values.push_back(rateOf(*disks.mode, kSweeps) / rate);
  }
  m.limit = 2;
  m.note = "two threads";
  return m;
}

Case bytesPerDisk(std::int64_t side, Backend backend) {
  return {.name = fmt::format("memory/{}^2", side),
          .measures = "engine memory per disk",
          .unit = "B",
          .backend = backend,
          .largerIsBetter = false,
          .run = [=](const ExecConfig& c) {
            const Melted disks = meltedDisks(side * side, c);
            const double n = static_cast<double>(side * side);
            return Measurement{{static_cast<double>(disks.mode->engineBytes()) / n},
                               kStoredPerDisk,
                               "two coordinates and an identity",
                               disks.state,
                               {disks.mode}};
          }};
}

Case samples(std::int64_t side, Backend backend) {
  return {.name = fmt::format("sample/{}^2", side),
          .measures = "one sample of all observables (pressure, psi6, g(r))",
          .unit = "ms",
          .backend = backend,
          .largerIsBetter = false,
          .run = [=](const ExecConfig& c) {
            const Melted disks = meltedDisks(side * side, c);
            Measurement m;
            m.state = disks.state;
            m.modes = {disks.mode};
            for (const double s : timed([&] { disks.mode->sample(); })) m.values.push_back(1e3 * s);
            const double bandwidth = limitsOf(c).bytesPerSecond;
            if (bandwidth > 0) {
              m.limit = 1e3 * 8 * static_cast<double>(side * side) / bandwidth;
              m.note = "reading 8 B per disk once";
            }
            return m;
          }};
}

}  // namespace

std::vector<Case> hardDiskCases() {
  std::vector<Case> all = {
      sweeps("hard_disks/256^2 one thread", 256, Backend::cpu, 1),
      sweeps("hard_disks/256^2 two threads", 256, Backend::cpu, 2),
      {.name = "hard_disks/256^2 speedup",
       .measures = "two threads over one",
       .unit = "times",
       .backend = Backend::cpu,
       .threads = 2,
       .run = speedup},
      sweeps("hard_disks/1024^2", 1024, Backend::cpu, 0),
  };
  for (const std::int64_t side : {64, 256, 1024, 4096})
    all.push_back(sweeps(fmt::format("hard_disks/{}^2", side), side, Backend::cuda, 0));
  for (const MpmcMappingInfo& m : kMpmcMappings)
    for (const std::int64_t side : {64, 256, 1024}) {
      if (m.mapping == MpmcMapping::residentTiles && side > 256) continue;  // too large for it
      all.push_back(
          sweeps(fmt::format("hard_disks/{}^2 {}", side, m.key), side, Backend::cuda, 0, m.key));
    }
  for (const Backend b : {Backend::cpu, Backend::cuda}) {
    all.push_back(bytesPerDisk(256, b));
    all.push_back(bytesPerDisk(1024, b));
    all.push_back(samples(256, b));
    all.push_back(samples(1024, b));
  }
  return all;
}

}  // namespace cellscope::bench
