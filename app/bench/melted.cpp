#include "app/bench/melted.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace cellscope::bench {
namespace {

constexpr std::uint64_t kBlock = 500;
constexpr double kSettled = 0.01, kSeconds = 5;

double observed(const Mode& mode, const std::vector<double>& sample, const std::string& id) {
  const std::vector<ObservableInfo>& all = mode.info().observables;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].id == id) return sample[k];
  throw RunError(fmt::format("the benchmark needs the observable '{}'", id));
}

}  // namespace

Scenario statePoint(std::int64_t n, const std::string& mapping) {
  Scenario s;
  s.name = "bench";
  s.mode = "hard_disks";
  s.parameters = {{"n", n},
                  {"packing", 0.698},
                  {"d", 0.16},
                  {"n_M", std::int64_t{4}},
                  {"mapping", mapping},
                  {"start", std::string("square")}};
  return s;
}

Melted meltedDisks(std::int64_t n, const ExecConfig& config, const std::string& mapping) {
  Melted m{startScenario(statePoint(n, mapping), config), ""};
  while (m.mode->preparation()) m.mode->advance(1);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(kSeconds));
  double before = 0, acceptance = 0;  // of the last two blocks
  std::vector<double> sample;
  bool settled = false;
  while (!settled && Clock::now() < end) {
    for (std::uint64_t k = 0; k < kBlock && (k == 0 || Clock::now() < end); k += kBlock / 10)
      m.mode->advance(kBlock / 10);
    sample = m.mode->sample();
    before = std::exchange(acceptance, observed(*m.mode, sample, "acceptance"));
    settled = std::abs(acceptance - before) < kSettled * acceptance;
  }
  m.state = fmt::format("{} sweeps after a square lattice: acceptance {:.3f}{}, local order {:.3f}",
                        m.mode->step(), acceptance, settled ? "" : " and still changing",
                        observed(*m.mode, sample, "psi6_local"));
  return m;
}

}  // namespace cellscope::bench
