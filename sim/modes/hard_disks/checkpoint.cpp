// Complete state of the hard-disk mode, bit for bit.
#include "sim/modes/hard_disks/mode.h"

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
        const Vec2 d = disks[next];
        if (!insideCell(d.x, d.y, g.w) || !onCoordinateGrid(d.x) || !onCoordinateGrid(d.y))
          throw InputError(
              "checkpoint: disk {} at ({}, {}) does not lie in its cell on the coordinate grid",
              ids[next], d.x, d.y);
        const std::size_t slot = static_cast<std::size_t>(i) * g.cellCount() + c;
        cells.disk.data()[slot] = d;
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

void compressionFields(auto& io, auto& s) {
  io.field(s.active, "compression");
  io.field(s.target, "target packing");
  io.field(s.startLength, "box before compression");
  io.field(s.stage, "compression stage");
  io.field(s.sweeps, "relaxing sweeps");
  io.field(s.stages, "compression stages");
  io.field(s.watchedLength, "compression progress");
  io.field(s.parting, "parting of overlaps");
}

CompressionState readCompression(BinaryReader& r, std::int64_t n, GridShape shape) {
  CompressionState s;
  compressionFields(r, s);
  s.parting = s.parting && s.active;
  if (!s.active) return s;
  chooseGrid(n, s.target, shape);  // refuses an impossible target
  if (!(s.startLength > 1) || !(s.watchedLength > 1) || !(s.stage > 0 && s.stage < 0.1))
    throw InputError("checkpoint: the state of the compression is impossible");
  return s;
}

void scheduleFields(auto& io, auto& s) {
  io.array(s.set, 4, "set order");
  io.field(s.shift.direction, "shift direction");
  io.field(s.shift.d, "shift length");
}

SweepSchedule readSchedule(BinaryReader& r, const GridInfo& g) {
  SweepSchedule s{};
  scheduleFields(r, s);
  int seen = 0;
  for (const std::uint8_t set : s.set) seen |= set < 4 ? 1 << set : 16;
  if (seen != 15 || s.shift.direction < 0 || s.shift.direction > 3 ||
      !(s.shift.d >= 0 && s.shift.d < g.w) || !onCoordinateGrid(s.shift.d))
    throw InputError("checkpoint: the schedule of the sweep is impossible");
  return s;
}

}  // namespace

void HardDisksMode::Run::fields(auto& io, auto& run, std::size_t disks) {
  io.field(run.counted, "move counters");
  io.field(run.sampledUpTo, "sampled move counters");
  io.field(run.roundStart, "tuner move counters");
  io.field(run.preparingMoves, "relaxing moves");
  io.field(run.nextId, "the next id");
  io.fieldUpTo(run.held.ids, "what is held", disks);
  io.field(run.held.at, "the hand");
  io.field(run.held.to, "the hand");
}

void HardDisksMode::saveState(BinaryWriter& w) const {
  writeCells(w, system_.engine().download(), active().experiments().marksMoved());
  for (const GridOrigin& o : {system_.origin(), setOrigin_}) {
    w.value(o.x);
    w.value(o.y);
  }
  scheduleFields(w, schedule_);
  compressionFields(w, compression_.state);
  writeTuner(w, tuner_.state);
  Run run = run_;
  run.counted = counted();
  Run::fields(w, run, 0);
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
  Run run;
  Run::fields(r, run, static_cast<std::size_t>(p.n));
  const Held& held = run.held;
  bool possible = std::isfinite(held.at.x + held.at.y + held.to.x + held.to.y);
  for (std::size_t slot = 0; slot < cells.grid.slotCount(); ++slot)
    possible = possible && (cells.id.data()[slot] == kNoId || cells.id.data()[slot] < run.nextId);
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
  run_ = std::move(run);
  scene_.forgetState();
  applyMapping();
}

}  // namespace cellscope
