// Complete state of the hard-disk mode, bit for bit.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/hard_disks/new_state.h"
#include "sim/modes/mode_core.h"

namespace cellscope {
namespace {

// Marks of moves are there only with the experiments that use them.
void writeCells(BinaryWriter& w, const DiskCells& cells, bool marks) {
  const GridInfo& g = cells.grid;
  w.value(g.m);  // rows follow from the parameters
  w.value(g.slots);
  w.value(g.w);
  w.array(cells.count.data(), g.cellCount());
  std::vector<Vec2> disks;
  std::vector<std::uint32_t> ids;
  for (int i = 0; i < g.slots; ++i)
    for (std::size_t c = 0; c < g.cellCount(); ++c)
      if (i < cells.count.data()[c]) {
        const std::size_t slot = static_cast<std::size_t>(i) * g.cellCount() + c;
        disks.push_back(cells.disk.data()[slot]);
        ids.push_back(cells.id.data()[slot]);
      }
  w.array(disks.data(), disks.size());
  w.array(ids.data(), ids.size());
  std::vector<std::uint8_t> moved(cells.moved.get());
  moved.resize(g.cellCount());
  if (marks) w.array(moved.data(), moved.size());
}

GridInfo readGrid(BinaryReader& r, std::int64_t n, GridShape shape) {
  GridInfo g;
  g.m = r.value<std::int32_t>("cells per side");
  g.slots = r.value<std::int32_t>("slots per cell");
  g.w = r.value<float>("cell width");
  if (g.m < 0 || g.m > kLargestM || g.m % shape.x != 0 ||
      !possibleGrid(g = gridOf(g.m, g.slots, g.w, shape)))
    throw InputError("checkpoint: a grid of {} x {} cells of width {} with {} slots is impossible",
                     g.m, g.allRows(), g.w, g.slots);
  const double packing = packingOf(g, n);
  if (!(packing > 0 && packing < kClosePacked))
    throw InputError("checkpoint: {} disks in its box make the impossible packing {}", n, packing);
  return g;
}

void checkIds(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) throw InputError("checkpoint: disk id {} appears twice", *twice);
  if (!ids.empty() && ids.back() == kNoId)
    throw InputError("checkpoint: disk id {} is impossible; at most {}", kNoId, kNoId - 1);
}

void checkDisk(const GridInfo& g, Vec2 p, std::uint32_t id) {
  if (!insideCell(p.x, p.y, g.w) || !onCoordinateGrid(p.x) || !onCoordinateGrid(p.y))
    throw InputError(
        "checkpoint: disk {} at ({}, {}) does not lie in its cell on the coordinate grid", id, p.x,
        p.y);
}

DiskCells readCells(BinaryReader& r, const HardDiskParameters& p, const ExecConfig& config) {
  const std::int64_t n = p.n;
  const GridInfo g = readGrid(r, n, p.shape());
  checkMemory(n, g, config, BoxHistory::constant);
  DiskCells cells = emptyCells(g);
  std::uint8_t* count = cells.count.data();
  r.array(count, g.cellCount(), "numbers of disks per cell");
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < g.cellCount(); ++c) {
    if (count[c] > g.slots)
      throw InputError("checkpoint: cell {} holds {} disks, at most {} are possible", c, count[c],
                       g.slots);
    sum += count[c];
  }
  const auto all = static_cast<std::uint64_t>(n);
  if (sum > all || (sum < all && !p.experiments().roundsShift()))
    throw InputError("checkpoint: the cells hold {} disks, {} were expected", sum, n);
  const auto disks = r.items<Vec2>(sum, "positions");
  const auto ids = r.items<std::uint32_t>(sum, "disk ids");
  checkIds(ids);
  std::size_t next = 0;
  for (int i = 0; i < g.slots; ++i)
    for (std::size_t c = 0; c < g.cellCount(); ++c)
      if (i < count[c]) {
        checkDisk(g, disks[next], ids[next]);
        const std::size_t slot = static_cast<std::size_t>(i) * g.cellCount() + c;
        cells.disk.data()[slot] = disks[next];
        cells.id.data()[slot] = ids[next++];
      }
  if (!p.experiments().marksMoved()) return cells;
  cells.markMoved(true);
  r.array(cells.moved.data(), g.cellCount(), "marks of moves");
  return cells;
}

GridOrigin readOrigin(BinaryReader& r, const GridInfo& g) {
  const auto x = r.value<std::int64_t>("grid origin"), y = r.value<std::int64_t>("grid origin");
  if (x < 0 || y < 0 || x >= sideQuanta(g, 0) || y >= sideQuanta(g, 1))
    throw InputError("checkpoint: the origin of the grid lies outside the box");
  return {x, y};
}

void writeCompression(BinaryWriter& w, const CompressionState& s) {
  w.value(static_cast<std::uint8_t>(s.active));
  w.value(s.target);
  w.value(s.startLength);
  w.value(s.stage);
  w.value(s.sweeps);
  w.value(s.stages);
  w.value(s.watchedLength);
  w.value(static_cast<std::uint8_t>(s.parting));
}

CompressionState readCompression(BinaryReader& r, std::int64_t n, GridShape shape) {
  CompressionState s;
  s.active = r.value<std::uint8_t>("compression") != 0;
  s.target = r.value<double>("target packing");
  s.startLength = r.value<double>("box before compression");
  s.stage = r.value<double>("compression stage");
  s.sweeps = r.value<std::uint64_t>("relaxing sweeps");
  s.stages = r.value<std::int64_t>("compression stages");
  s.watchedLength = r.value<double>("compression progress");
  s.parting = r.value<std::uint8_t>("parting of overlaps") != 0;
  s.parting = s.parting && s.active;
  if (!s.active) return s;
  chooseGrid(n, s.target, shape);  // refuses an impossible target
  if (!(s.startLength > 1) || !(s.watchedLength > 1) || !(s.stage > 0 && s.stage < 0.1))
    throw InputError("checkpoint: the state of the compression is impossible");
  return s;
}

SweepSchedule readSchedule(BinaryReader& r, const GridInfo& g) {
  SweepSchedule s{};
  r.array(s.set, 4, "set order");
  s.shift.direction = r.value<std::int32_t>("shift direction");
  s.shift.d = r.value<float>("shift length");
  int seen = 0;
  for (const std::uint8_t set : s.set) seen |= set < 4 ? 1 << set : 16;
  if (seen != 15 || s.shift.direction < 0 || s.shift.direction > 3 ||
      !(s.shift.d >= 0 && s.shift.d < g.w) || !onCoordinateGrid(s.shift.d))
    throw InputError("checkpoint: the schedule of the sweep is impossible");
  return s;
}

}  // namespace

void HardDisksMode::saveState(BinaryWriter& w) const {
  writeCells(w, system_.engine().download(), active().experiments().marksMoved());
  for (const GridOrigin& o : {system_.origin(), setOrigin_}) {
    w.value(o.x);
    w.value(o.y);
  }
  w.array(schedule_.set, 4);
  w.value(schedule_.shift.direction);
  w.value(schedule_.shift.d);
  writeCompression(w, compression_.state);
  writeTuner(w, tuner_.state);
  w.value(counted());
  w.value(sampledUpTo_);
  w.value(roundStart_);
  w.value(preparingMoves_);
  w.value(nextId_);
  w.vector(held_.ids);
  w.value(held_.at);
  w.value(held_.to);
  sampler_.save(w);
}

void HardDisksMode::loadState(BinaryReader& r, const P& p, int) {
  const DiskCells cells = readCells(r, p, config());
  const GridOrigin origin = readOrigin(r, cells.grid);
  const GridOrigin setOrigin = readOrigin(r, cells.grid);
  SweepSchedule schedule = readSchedule(r, cells.grid);
  schedule.shift.rounding = p.experiments().shiftRounding();
  const CompressionState compression = readCompression(r, p.n, p.shape());
  const TunerState tuner = readTuner(r);
  const auto counted = r.value<MpmcCounters>("move counters");
  const auto sampledUpTo = r.value<MpmcCounters>("sampled move counters");
  const auto roundStart = r.value<MpmcCounters>("tuner move counters");
  const auto preparing = r.value<double>("relaxing moves");
  const auto nextId = r.value<std::uint32_t>("the next id");
  Held held;
  held.ids = r.vectorUpTo<std::uint32_t>("what is held", static_cast<std::size_t>(p.n));
  held.at = r.value<Vec3d>("the hand");
  held.to = r.value<Vec3d>("the hand");
  bool possible = std::isfinite(held.at.x + held.at.y + held.to.x + held.to.y);
  for (std::size_t slot = 0; slot < cells.grid.slotCount(); ++slot)
    possible = possible && (cells.id.data()[slot] == kNoId || cells.id.data()[slot] < nextId);
  if (!held.ids.empty()) {
    const std::vector<std::uint32_t> ids = positionsOf(cells).ids;
    possible = possible && std::is_sorted(held.ids.begin(), held.ids.end()) &&
               std::includes(ids.begin(), ids.end(), held.ids.begin(), held.ids.end());
  }
  if (!possible) throw InputError("checkpoint: what the hand holds or the next id is impossible");
  DiskSampler sampler(exec_);
  sampler.configure(p);
  sampler.load(r);
  DiskSystem system(exec_);
  std::int64_t disks = 0;
  for (std::size_t c = 0; c < cells.grid.cellCount(); ++c) disks += cells.count.data()[c];
  system.adopt(cells, disks, origin);
  const MpmcEngine::OverlapReport report = system.engine().check();
  const bool mayOverlap = p.experiments().mayOverlap() || compression.parting;
  if ((report.overlaps > 0 && !mayOverlap) || report.misplaced > 0)
    throw InputError("checkpoint: {} disks overlap and {} lie outside their cell", report.overlaps,
                     report.misplaced);
  begin(p);
  system_ = std::move(system);
  sampler_ = std::move(sampler);
  setOrigin_ = setOrigin;
  schedule_ = schedule;
  compression_.state = compression;
  tuner_.state = tuner;
  counted_ = counted;
  sampledUpTo_ = sampledUpTo;
  roundStart_ = roundStart;
  preparingMoves_ = preparing;
  nextId_ = nextId;
  held_ = std::move(held);
  scene_.forgetState();
  applyMapping();
}

}  // namespace cellscope
