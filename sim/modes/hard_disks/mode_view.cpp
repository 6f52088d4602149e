// What was recorded of moves and of the picked disk; frames, self-checks and configurations.
#include <fmt/format.h>

#include "sim/modes/hard_disks/mode.h"

namespace cellscope {

RecordWriter MoveTrace::begin(Backend where, std::int64_t disks) {
  recording_ = (shown_ || kept_) && disks <= kMostDisks;
  if (!recording_) return {};
  // At most one record per disk and sub-sweep: a disk that leaves its cell may be updated again.
  const std::size_t room = static_cast<std::size_t>(disks) * 4;
  if (recorder_.capacity() < room || recorder_.where() != where) recorder_ = Recorder(where, room);
  recorder_.reset();
  return recorder_.writer();
}

void MoveTrace::finish(const GridInfo& grid, const GridPlacement& placement) {
  if (!recording_) return;
  recording_ = false;
  for (const Record& r : recorder_.read().records) add(r, grid, placement);
}

void MoveTrace::add(const Record& r, const GridInfo& grid, const GridPlacement& placement) {
  const int x = static_cast<int>(r.group) % grid.m, y = static_cast<int>(r.group) / grid.m;
  const Vec3d to{placement.globalX(x, r.number[2]), placement.globalY(y, r.number[3]), 0};
  const Vec3d way{static_cast<double>(r.number[2]) - static_cast<double>(r.number[0]),
                  static_cast<double>(r.number[3]) - static_cast<double>(r.number[1]), 0};
  const bool moved = r.outcome != 0;
  const auto part =
      static_cast<float>(moved ? layers::MovePart::moved : layers::MovePart::rejected);
  marks_.push_back(pointAt(to, part));
  tried_.push_back({static_cast<ParticleId>(r.subject), moved, way.x, way.y});
  if (moved) paths_.push_back(lineBetween(to - way, to, part));
}

Table MoveTrace::table(std::int64_t disks) const {
  Table t{{{"disk", "Its id; one that has left its cell may be tried again in the sweep"},
           {"verdict", "moved: one of its trial moves was accepted at least"},
           {"dx", "What they moved it by along x, sigma"},
           {"dy", "What they moved it by along y, sigma"}},
          {},
          disks > kMostDisks ? fmt::format("moves are kept of up to {} disks", kMostDisks)
                             : "no sweep was recorded yet: make a step"};
  for (const Tried& m : tried_)
    t.rows.push_back({{wholeCell(m.id),
                       {m.moved ? "moved" : "rejected", 0},
                       numberCell(m.dx, 4),
                       numberCell(m.dy, 4)},
                      m.id,
                      ""});
  if (!t.rows.empty()) t.note.clear();
  return t;
}

Neighbourhood copyNeighbourhood(const DiskCellsView& cells, Backend where, int x, int y) {
  if (where == Backend::cpu) return readNeighbourhood(cells, x, y);
  const GridInfo& g = cells.grid;
  Neighbourhood n{};
  n.slots = g.slots;
  n.w = g.w;
  for (int k = 0; k < 9; ++k) {
    const int nx = g.wrap(x + k % 3 - 1), ny = g.wrapRow(y + k / 3 - 1);
    std::uint8_t count = 0;
    exec::copy(Backend::cpu, &count, where, cells.count + g.cell(nx, ny), sizeof count);
    n.count[k] = count;
    for (int i = 0; i < g.slots; ++i) {
      const std::size_t slot = g.slot(nx, ny, i);
      exec::copy(Backend::cpu, &n.disk[k][i], where, cells.disk + slot, sizeof(Vec2));
      exec::copy(Backend::cpu, &n.id[k][i], where, cells.id + slot, sizeof(std::uint32_t));
    }
  }
  return n;
}

void PickTrace::watch(ParticleId id) {
  if (id == id_) return;
  id_ = id;
  valid_ = false;
  records_.clear();
}

RecordWriter PickTrace::begin(Backend where) {
  if (id_ < 0) return {};
  if (recorder_.capacity() == 0 || recorder_.where() != where)
    recorder_ = Recorder(where, kRecords);
  recorder_.reset();
  return recorder_.writer();
}

void PickTrace::finish(const GridInfo& grid, const GridPlacement& placement, std::uint64_t sweep) {
  if (id_ < 0) return;
  const Recorded seen = recorder_.read();
  if (seen.records.empty()) return;
  // A disk that has left its cell may be updated again: shows the last update.
  const std::uint32_t stage = seen.records.back().stage;
  before_ = {};
  records_.clear();
  for (const Record& r : seen.records)
    if (r.stage == stage) take(r);
  const auto cell = static_cast<int>(seen.records.back().group);
  corner_ = {placement.globalX(cell % grid.m, 0.0f), placement.globalY(cell / grid.m, 0.0f), 0};
  w_ = grid.w;
  lost_ = seen.lost;
  sweep_ = sweep;
  valid_ = true;
}

void PickTrace::take(const Record& r) {
  const float* v = r.number;
  if (r.phase == static_cast<std::uint16_t>(MpmcRecord::found)) {
    const int k = static_cast<int>(v[2]), i = static_cast<int>(v[3]);
    before_.disk[k][i] = {v[0], v[1]};
    before_.id[k][i] = static_cast<std::uint32_t>(r.subject);
    before_.count[k] = std::max(before_.count[k], i + 1);
  } else {
    records_.push_back(trialOf(r));
  }
}

std::vector<TrialRecord> PickTrace::ownTrials() const {
  std::vector<TrialRecord> own;
  for (const TrialRecord& t : records_)
    if (valid_ && t.id == static_cast<std::uint32_t>(id_)) own.push_back(t);
  return own;
}

std::vector<BoxInstance> PickTrace::stencil() const {
  std::vector<BoxInstance> boxes;
  if (!valid_) return boxes;
  for (int k = 0; k < 9; ++k) {
    const Vec3d lo = global(k, {0, 0});
    BoxInstance b = boxAt(lo, {w_, w_, 0});
    b.value = static_cast<float>(k == kOwnCell ? layers::StencilPart::ownCell
                                               : layers::StencilPart::neighbour);
    boxes.push_back(b);
  }
  return boxes;
}

std::vector<PickTrace::Tested> PickTrace::testedDisks() const {
  std::vector<Tested> all;
  const std::vector<TrialRecord> own = ownTrials();
  // A move that would leave the cell is rejected before distances are computed.
  if (std::all_of(own.begin(), own.end(),
                  [](const TrialRecord& t) { return t.outcome == TrialOutcome::leftCell; }))
    return all;
  for (int k = 0; k < 9; ++k)
    for (int i = 0; i < before_.count[k]; ++i) {
      const std::uint32_t id = before_.id[k][i];
      if (id == static_cast<std::uint32_t>(id_)) continue;
      const bool blocked = std::any_of(own.begin(), own.end(),
                                       [&](const TrialRecord& t) { return t.blocking == id; });
      const Vec3d at = global(k, before_.disk[k][i]);
      all.push_back(
          {id, at.x, at.y, blocked ? layers::TestedPart::blocking : layers::TestedPart::tested});
    }
  return all;
}

std::vector<LineInstance> PickTrace::tested() const {
  return each(testedDisks(), [&](const Tested& t) {
    return lineBetween(global(kOwnCell, ownTrials().back().from), {t.x, t.y, 0},
                       static_cast<float>(t.part));
  });
}

std::vector<LineInstance> PickTrace::trials() const {
  return each(ownTrials(), [&](const TrialRecord& t) {
    return lineBetween(global(kOwnCell, t.from), global(kOwnCell, t.to),
                       static_cast<float>(t.outcome));
  });
}

std::vector<std::pair<std::string, std::string>> PickTrace::rows() const {
  std::vector<std::pair<std::string, std::string>> rows;
  if (!valid_) {  // picked after its update: only later moves were recorded
    if (id_ >= 0) rows.push_back({"trial moves", "recorded from the next sweep on"});
    return rows;
  }
  // Numbered as in the window: the first sweep is sweep 1.
  const std::vector<TrialRecord> own = ownTrials();
  if (own.empty()) rows.push_back({"trial moves", fmt::format("none in sweep {}", sweep_ + 1)});
  if (lost_ > 0) rows.push_back({"not recorded", fmt::format("{} more records", lost_)});
  constexpr std::size_t kShown = 8;
  for (std::size_t i = own.size() > kShown ? own.size() - kShown : 0; i < own.size(); ++i) {
    const TrialRecord& t = own[i];
    std::string outcome = "accepted";
    if (t.outcome == TrialOutcome::leftCell) outcome = "rejected: leaves the cell";
    if (t.outcome == TrialOutcome::overlap)
      outcome = fmt::format("rejected: overlaps disk {}", t.blocking);
    rows.push_back(
        {fmt::format("sweep {}, move {}", sweep_ + 1, i + 1),
         fmt::format("({:+.4f}, {:+.4f}) {}", t.to.x - t.from.x, t.to.y - t.from.y, outcome)});
  }
  return rows;
}

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
