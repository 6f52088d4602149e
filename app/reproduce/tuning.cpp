// S3, section 3.3: how long the global orientational order remembers, against the move size d and
// the number of moves per cell n_M, in seconds of wall clock.
#include <fmt/format.h>

#include <chrono>
#include <complex>

#include "app/reproduce/reproduce.h"
#include "sim/algo/observables/autocorrelation.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope::reproduce {
namespace {

struct Point {
  AutocorrelationTime time;
  double secondsPerSample = 0;
  double acceptance = 0;
};

Point measure(std::int64_t side, double d, std::int64_t nMoves, const ExecConfig& config,
              double seconds) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  constexpr std::uint64_t kEvery = 20;  // sweeps between samples
  Scenario s;
  s.name = "tuning";
  s.mode = "hard_disks";
  s.parameters = {{"n", side * side}, {"packing", 0.698}, {"d", d}, {"n_M", nMoves}};
  const std::unique_ptr<Mode> owned = startScenario(s, config);
  auto& mode = dynamic_cast<HardDisksMode&>(*owned);
  while (mode.preparation()) mode.advance(1);
  for (const auto t = Clock::now(); since(t) < 0.3 * seconds;) mode.advance(kEvery);
  std::vector<std::complex<double>> series;
  double inSweeps = 0;  // measuring the order is not part of the cost
  for (const auto t = Clock::now(); since(t) < 0.7 * seconds;) {
    const auto begin = Clock::now();
    mode.advance(kEvery);
    inSweeps += since(begin);
    series.push_back(mode.globalPsi6());
  }
  Point p;
  p.time = autocorrelationTime(series, false);
  p.secondsPerSample = inSweeps / static_cast<double>(series.size());
  p.acceptance = mode.sample()[4];
  return p;
}

}  // namespace

int tuning(const Options& o, const ExecConfig& config) {
  const double sizes[] = {0.04, 0.08, 0.12, 0.16, 0.20, 0.28, 0.40};
  const std::int64_t counts[] = {1, 2, 4, 8, 16};
  const std::int64_t side = o.sides.front();
  Report report(
      o, "tuning",
      fmt::format("Autocorrelation time of Psi6 (S3, section 3.3), N = {}^2, packing 0.698", side),
      config,
      {"d", "n_M", "acceptance", "tau (seconds)", "error", "seconds per sweep", "converged"});
  const double each = 60 * o.minutes / 12;
  auto add = [&](double d, std::int64_t nMoves) {
    const Point p = measure(side, d, nMoves, config, each);
    report.row({fmt::format("{}", d), fmt::format("{}", nMoves),
                fmt::format("{:.3f}", p.acceptance),
                fmt::format("{:.4g}", p.time.tau * p.secondsPerSample),
                fmt::format("{:.2g}", p.time.error * p.secondsPerSample),
                fmt::format("{:.3g}", p.secondsPerSample / 20), p.time.converged ? "yes" : "no"});
  };
  for (const double d : sizes) add(d, 4);
  for (const std::int64_t nMoves : counts) add(0.16, nMoves);
  report.note(
      "The paper finds the shortest time at d = 0.16 and n_M = 4 on its GPU. Rows that are "
      "not converged need more minutes or fewer disks (--sides).");
  return 0;
}

}  // namespace cellscope::reproduce
