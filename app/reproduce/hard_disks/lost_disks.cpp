// Long runs with self-checks.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/common/interrupt.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "app/reproduce/report.h"

namespace cellscope::reproduce {
namespace {

struct LostDisksOptions {
  std::vector<std::int64_t> sides = {256, 512, 1024};
  std::int64_t seed = 1;
  std::int64_t sweeps = 1000000;

  template <class V>
  void visit(V& v) {
    v(sidesOption(), sides);
    v(seedOption(), seed);
    v({.key = "sweeps", .min = 1, .max = 1e15, .help = "Sweeps of every size"}, sweeps);
  }
};

constexpr std::uint64_t kCheckEvery = 10000;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A size: checked every kCheckEvery sweeps. Returns whether all checks passed.
bool check(std::int64_t side, const LostDisksOptions& o, const DiskContext& context, Report& report,
           const std::function<bool()>& proceed) {
  const DiskSession session =
      newSession({"lost-disks", side * side, 0.698, {{"seed", o.seed}}, 1u << 30}, context.exec,
                 context.disks);
  session->finishPreparation(proceed);
  Mode& mode = session->mode();
  const double start = seconds(), work = mode.work();
  const std::uint64_t first = session->step(), all = static_cast<std::uint64_t>(o.sweeps);
  const auto done = [&] { return session->step() - first; };
  std::uint64_t checks = 0, failed = 0;
  while (proceed() && done() < all && seconds() - start < 60 * context.minutes) {
    session->advanceTo(session->step() + std::min(kCheckEvery, all - done()), proceed);
    for (const SelfCheck& c : mode.selfChecks()) {
      ++checks;
      if (c.ok) continue;
      ++failed;
      report.note(fmt::format("Sweep {}: {}: {}", session->step(), c.label, c.detail));
    }
  }
  const double moves = mode.work() - work;
  report.row({fmt::format("{}^2", side), fmt::format("{}", done()), fmt::format("{:.4g}", moves),
              fmt::format("{:.3g}", moves / (seconds() - start)), fmt::format("{}", checks),
              fmt::format("{}", failed)});
  return failed == 0;
}

int run(const LostDisksOptions& o, const DiskContext& context) {
  Report report(context, "No disk is lost and none overlap",
                {"N", "sweeps", "trial moves", "trial moves per second", "checks", "failed"});
  const common::InterruptGuard interrupt;
  const auto proceed = [&] { return !interrupt.raised(); };
  bool valid = true;
  for (const std::int64_t side : o.sides) {
    valid &= check(side, o, context, report, proceed);
    if (proceed()) continue;
    report.note(fmt::format("Stopped by {}", interrupt.name()));
    return 1;
  }
  return valid ? 0 : 1;
}

}  // namespace

std::unique_ptr<DiskStudy> lostDisks() {
  return diskStudy<LostDisksOptions>(
      {.name = "lost-disks",
       .about = "a million sweeps without a lost disk or an overlap",
       .notes = "--minutes is the time per size, not including the preparation of the start."},
      run);
}

}  // namespace cellscope::reproduce
