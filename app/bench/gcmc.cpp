// Grand-canonical Monte Carlo of the Lennard-Jones fluid (Schwiebert et al., section 4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/bench/bench.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {
namespace {

// One exact chain in the liquid of density 0.67: T = 1.2, ln z = -2.5, r_c = 2.5 with tail
// correction, 30/35/35 % displacements, insertions and deletions.
Measurement moveRate(const Size& size, const Setup& setup) {
  constexpr double kDensity = 0.67;
  constexpr std::int64_t kMovesPerStep = 20000;
  Scenario s;
  s.name = "bench";
  s.mode = "gcmc";
  s.parameters = {{"length", std::cbrt(static_cast<double>(size.n) / kDensity)},
                  {"density", kDensity},
                  {"temperature", 1.2},
                  {"chemical_potential", -3.0},
                  {"cutoff", 2.5},
                  {"moves_per_step", kMovesPerStep}};
  const std::shared_ptr<Mode> mode = startScenario(s, setup.exec);
  // Two displacements per particle melt the lattice, as far as time allows.
  const std::uint64_t melt = static_cast<std::uint64_t>(size.n) * 7 / kMovesPerStep + 1;
  mode->advance(std::min<std::uint64_t>(melt, 60));
  Measurement m;
  m.modes = {mode};
  m.values = repeated([&] {
    const double before = mode->work();
    const double seconds = timedOnce([&] { mode->advance(5); });
    return (mode->work() - before) / seconds;
  });
  m.state = fmt::format("{} particles after {} moves from a lattice", mode->particleCount(),
                        static_cast<std::uint64_t>(mode->work()));
  return m;
}

std::vector<Size> chainSizes() {
  std::vector<Size> all;
  for (const std::int64_t n : {512, 4096, 262144})
    all.push_back({fmt::format("{} one chain", n), Backend::cpu, n, 1, ""});
  for (const std::int64_t n : {512, 4096, 8192, 32768, 262144, 1048576})
    all.push_back({fmt::format("{} one chain", n), Backend::cuda, n, 0, ""});
  return all;
}

}  // namespace

Row gcmcMoves() {
  return {.mode = "gcmc",
          .name = "gcmc",
          .measures = "trial moves per second of one exact chain",
          .unit = "moves/s",
          .limit = "",
          .sizes = chainSizes(),
          .run = moveRate};
}

}  // namespace cellscope::bench
