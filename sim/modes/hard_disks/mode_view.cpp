// Hard-disk mode: frames, picking, self-checks, configurations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope {

// cause: explanation of overlaps by an experiment, or null.
static void addStateChecks(std::vector<SelfCheck>& checks, const MpmcEngine::OverlapReport& report,
                           const HardDiskParameters& p, const GridInfo& g, const char* cause) {
  const auto n = static_cast<std::uint64_t>(p.n);
  const double widest = widestCell(g.slots);
  SelfCheck disks{"disks", report.disks == n, fmt::format("{} of {}", report.disks, n)};
  disks.onPurpose = report.disks < n && p.experiments().roundsShift();
  if (disks.onPurpose) disks.detail += ", lost by cell shifts that round coordinates (shift_bits)";
  checks.push_back(disks);
  SelfCheck overlaps{"overlaps", report.overlaps == 0, fmt::format("{}", report.overlaps)};
  overlaps.onPurpose = !overlaps.ok && cause;
  if (overlaps.onPurpose) overlaps.detail += cause;
  checks.push_back(overlaps);
  checks.push_back({"cell width", g.w >= 1.0f && static_cast<double>(g.w) < widest,
                    fmt::format("w = {:.4f} in [1, {:.3f})", g.w, widest)});
}

int HardDisksMode::domainsShown() const {
  return std::max(config().allDomains(), staleHalos() ? kStaleDomains : 1);
}

std::shared_ptr<const Frame> HardDisksMode::frame(const ViewRequest& view) {
  std::shared_ptr<Frame> frame = withHint([&] { return scene_.frame(view, *this); });
  const char* const cause = causeOfOverlaps();
  addStateChecks(frame->checks, scene_.recentCheck(system_), active(), system_.grid(), cause);
  // Overlaps come and go: while plot and number show those of the last sample, the lamp tells them.
  for (SelfCheck& c : frame->checks) {
    if (c.label != "overlaps" || !c.ok || lastOverlaps_ == 0 || lastSampled_ > step()) continue;
    c.ok = false, c.onPurpose = cause;
    c.detail = fmt::format("{} in the last sample, sweep {}, none now{}", lastOverlaps_,
                           lastSampled_, cause ? cause : "");
  }
  return frame;
}

std::vector<Neighbour> HardDisksMode::neighboursOf(ParticleId id) {
  constexpr double kReach = 1.5;  // beyond the first shell
  const Configuration c = configuration();
  std::vector<Neighbour> all;
  const auto found = std::find(c.ids.begin(), c.ids.end(), id);
  if (found == c.ids.end()) return all;
  const Vec3d at = c.place(static_cast<std::size_t>(found - c.ids.begin()));
  for (std::size_t k = 0; k < c.size(); ++k) {
    const Vec3d d = c.box.minimumImage(c.place(k) - at);
    const double distance = std::hypot(d.x, d.y);
    if (c.ids[k] != id && distance < kReach)
      all.push_back({c.ids[k], distance, true, std::nullopt, std::nullopt});
  }
  return all;
}

const char* HardDisksMode::causeOfOverlaps() const {
  if (active().leaveCell) return ", as disks may leave their cell";
  if (active().staleHalo) return ", as halos of domains are stale (stale_halo)";
  if (mayOverlap()) return ", as cell shifts round coordinates (shift_bits)";
  return compression_.state.parting ? ", left by an experiment; being removed" : nullptr;
}

std::vector<SelfCheck> HardDisksMode::selfChecks() {
  const MpmcEngine::OverlapReport report = system_.engine().check();
  std::vector<SelfCheck> checks;
  addStateChecks(checks, report, active(), system_.grid(), causeOfOverlaps());
  checks.push_back({"cell lists", report.misplaced == 0,
                    fmt::format("{} disks outside their cell", report.misplaced)});
  const GridInfo goal = active().grid();
  const GridInfo now = system_.grid();
  const bool expected = compression_.state.active ||
                        std::fabs(boxLength(goal) - boxLength(now)) <= 1e-5 * boxLength(goal);
  SelfCheck packing{"packing", expected,
                    fmt::format("{:.7f}, requested {:.7f}", system_.packing(), active().packing)};
  packing.onPurpose = !expected && system_.disks() < active().n;  // lost, as "disks" has found
  checks.push_back(packing);
  const MpmcCounters c = counted();
  bool sums = true;
  for (int s = 0; s < 4; ++s)
    sums = sums && c.attempted[s] == c.accepted[s] + c.overlap[s] + c.leftCell[s];
  checks.push_back(
      {"move counters", sums,
       fmt::format("{} attempted = {} accepted + {} overlapping + {} leaving", sumOf(c.attempted),
                   sumOf(c.accepted), sumOf(c.overlap), sumOf(c.leftCell))});
  return checks;
}

Configuration HardDisksMode::configuration() const {
  Configuration c;
  c.box = system_.box();
  const DiskPositions p = positionsOf(system_.engine().download());
  const GridPlacement grid = system_.placement();
  c.ids.assign(p.ids.begin(), p.ids.end());
  c.positions.resize(3 * p.ids.size());
  for (std::size_t k = 0; k < p.ids.size(); ++k) {
    c.positions[3 * k] = grid.wrap(p.xy[2 * k] + grid.originX, 0);
    c.positions[3 * k + 1] = grid.wrap(p.xy[2 * k + 1] + grid.originY, 1);
  }
  return c;
}

}  // namespace cellscope
