#include "sim/modes/hard_disks/disk_scene.h"

#include <fmt/format.h>

#include <algorithm>

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
  std::vector<LineInstance> lines;
  for (const Tested& t : testedDisks())
    lines.push_back(lineBetween(global(kOwnCell, ownTrials().back().from), {t.x, t.y, 0},
                                static_cast<float>(t.part)));
  return lines;
}

std::vector<LineInstance> PickTrace::trials() const {
  std::vector<LineInstance> lines;
  for (const TrialRecord& t : ownTrials())
    lines.push_back(lineBetween(global(kOwnCell, t.from), global(kOwnCell, t.to),
                                static_cast<float>(t.outcome)));
  return lines;
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

}  // namespace cellscope
