// What goes wrong when disks may leave their cell, and that no disk is ever lost.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "app/reproduce/reproduce.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope::reproduce {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int leaveCell(const Options& o, const ExecConfig& config) {
  Report report(o, "leave-cell", "Disks allowed to leave their cell (S3, section 2.4), N = 64^2",
                config,
                {"packing", "may leave", "seed", "P*", "|Psi6|", "phase of Psi6 (degrees)"});
  const double packings[] = {0.66, 0.68, 0.69};
  for (const double packing : packings) {
    for (const bool leave : {false, true}) {
      for (std::int64_t seed = 1; seed <= 4; ++seed) {
        const LongRun run{fmt::format("leave-{}-{}-{}", packing, leave ? "on" : "off", seed),
                          4096,
                          packing,
                          {{"leave_cell", leave}, {"seed", seed}},
                          100};
        const auto session = runLong(run, o, config, 60 * o.minutes / 24);
        const auto all = session->history().series();
        const ObservableSeries& p = seriesOf(all, "pressure");
        const ObservableSeries& order = seriesOf(all, "psi6_global");
        const auto psi = dynamic_cast<HardDisksMode&>(session->mode()).globalPsi6();
        report.row({fmt::format("{}", packing), leave ? "yes" : "no", fmt::format("{}", seed),
                    compact(p.currentMean, p.currentError),
                    compact(order.currentMean, order.currentError),
                    fmt::format("{:.0f}", std::arg(psi) * 180 / M_PI)});
      }
    }
  }
  report.note(
      "Expected from the paper: with the rule broken, order at a density at which the "
      "fluid has none, and the same phase for every seed.");
  return 0;
}

int lostDisks(const Options& o, const ExecConfig& config) {
  Report report(o, "lost-disks", "No disk is lost and none overlap", config,
                {"N", "sweeps", "trial moves", "trial moves per second", "checks", "failed"});
  int failures = 0;
  for (const std::int64_t side : o.sides) {
    Scenario s;
    s.name = "lost-disks";
    s.mode = "hard_disks";
    s.sampleEvery = 1u << 30;
    s.parameters = {{"n", side * side}, {"packing", 0.698}};
    Session session(s, config);
    session.finishPreparation();
    const double start = seconds(), work = session.mode().work();
    const std::uint64_t first = session.step();
    std::uint64_t checks = 0, failed = 0;
    while (session.step() - first < o.sweeps && seconds() - start < 60 * o.minutes) {
      session.advance(std::min<std::uint64_t>(10000, o.sweeps - (session.step() - first)));
      for (const SelfCheck& c : session.mode().selfChecks()) {
        ++checks;
        if (c.ok) continue;
        ++failed;
        report.note(fmt::format("Sweep {}: {}: {}", session.step(), c.label, c.detail));
      }
    }
    const double moves = session.mode().work() - work;
    report.row({fmt::format("{}^2", side), fmt::format("{}", session.step() - first),
                fmt::format("{:.4g}", moves), fmt::format("{:.3g}", moves / (seconds() - start)),
                fmt::format("{}", checks), fmt::format("{}", failed)});
    failures += failed > 0;
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace cellscope::reproduce
