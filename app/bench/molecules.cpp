// All-pairs Lennard-Jones molecular dynamics (van Meel et al. 2008, section 2).
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {
namespace {

// Instructions that an ordered pair needs at least: three coordinate differences that wrap by
// themselves in 32-bit integers, three conversions, a product, two fused multiply-adds and a
// comparison with the cutoff. The pairs inside the cutoff (one in 1,000 at N = 65,536) need more.
constexpr double kInstructionsPerPair = 10;

Measurement pairRate(const Size& size, const Setup& setup) {
  const std::uint64_t steps = size.backend == Backend::cpu ? 5 : size.n < 10000 ? 100 : 10;
  Scenario s;
  s.name = "bench";
  s.mode = "md";
  s.parameters = {{"n", size.n}};
  const std::shared_ptr<Mode> mode = startScenario(s, setup.exec);
  mode->advance(steps);
  Measurement m;
  m.modes = {mode};
  m.values = repeated([&] {
    const double before = mode->work();
    const double seconds = timedOnce([&] { mode->advance(steps); });
    return (mode->work() - before) / seconds;
  });
  m.state = fmt::format("step {} after an fcc lattice", mode->step());
  m.limit = limitsOf(setup.exec).instructionRate / kInstructionsPerPair;
  m.note = fmt::format("{:.0f} instructions per pair", kInstructionsPerPair);
  return m;
}

}  // namespace

Row pairs() {
  return {.mode = "md",
          .name = "md",
          .measures = "pair interactions per second",
          .unit = "pairs/s",
          .limit = fmt::format("{:.0f} instructions per pair", kInstructionsPerPair),
          .sizes = {{"4096 all pairs", Backend::cpu, 4096, 2, ""},
                    {"4096 all pairs", Backend::cuda, 4096, 0, ""},
                    {"65536 all pairs", Backend::cuda, 65536, 0, ""}},
          .run = pairRate};
}

}  // namespace cellscope::bench
