// No disk is ever lost.
#include <fmt/format.h>

#include <chrono>

#include "app/common/interrupt.h"
#include "app/reproduce/reproduce.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope::reproduce {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int lostDisks(const Options& o, const ExecConfig& config) {
  Report report(o, "lost-disks", "No disk is lost and none overlap", config,
                {"N", "sweeps", "trial moves", "trial moves per second", "checks", "failed"});
  const common::InterruptGuard interrupt;
  int failures = 0;
  for (const std::int64_t side : o.sides) {
    Scenario s;
    s.name = "lost-disks";
    s.mode = "hard_disks";
    s.sampleEvery = 1u << 30;
    s.parameters = {{"n", side * side}, {"packing", 0.698}, {"seed", o.seeds}};
    Session session(s, config, o.modes);
    const auto proceed = [&] { return !interrupt.raised(); };
    session.finishPreparation(proceed);
    const double start = seconds(), work = session.mode().work();
    const std::uint64_t first = session.step();
    std::uint64_t checks = 0, failed = 0;
    while (proceed() && session.step() - first < o.sweeps && seconds() - start < 60 * o.minutes) {
      const std::uint64_t left = o.sweeps - (session.step() - first);
      session.advanceTo(session.step() + std::min<std::uint64_t>(10000, left), proceed);
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
    if (proceed()) continue;
    report.note(fmt::format("Stopped by {}", interrupt.name()));
    return 1;
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace cellscope::reproduce
