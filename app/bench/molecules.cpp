// All-pairs Lennard-Jones molecular dynamics (S2, section 2).
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {
namespace {

// Instructions that an ordered pair needs at least: three coordinate differences that wrap by
// themselves in 32-bit integers, three conversions, a product, two fused multiply-adds and a
// comparison with the cutoff. The pairs inside the cutoff (one in 1,000 at N = 65,536) need more.
constexpr double kInstructionsPerPair = 10;

Measurement pairRate(std::int64_t n, std::uint64_t steps, const ExecConfig& config) {
  Scenario s;
  s.name = "bench";
  s.mode = "md";
  s.parameters = {{"n", n}};
  const std::shared_ptr<Mode> mode = startScenario(s, config);
  mode->advance(steps);
  Measurement m;
  m.modes = {mode};
  for (int i = 0; i < kRepeats; ++i) {
    const double before = mode->work();
    const double seconds = timedOnce([&] { mode->advance(steps); });
    m.values.push_back((mode->work() - before) / seconds);
  }
  m.state = fmt::format("step {} after an fcc lattice", mode->step());
  m.limit = limitsOf(config).instructionRate / kInstructionsPerPair;
  m.note = fmt::format("{:.0f} instructions per pair", kInstructionsPerPair);
  return m;
}

Case pairs(std::int64_t n, std::uint64_t steps, Backend backend, int threads) {
  return {.name = fmt::format("md/{} all pairs", n),
          .measures = "pair interactions per second",
          .unit = "pairs/s",
          .backend = backend,
          .threads = threads,
          .run = [=](const ExecConfig& c) { return pairRate(n, steps, c); }};
}

}  // namespace

std::vector<Case> moleculeCases() {
  return {pairs(4096, 5, Backend::cpu, 2), pairs(4096, 100, Backend::cuda, 0),
          pairs(65536, 10, Backend::cuda, 0)};
}

}  // namespace cellscope::bench
