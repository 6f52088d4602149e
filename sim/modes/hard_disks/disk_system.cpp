#include "sim/modes/hard_disks/disk_system.h"

#include <algorithm>

namespace cellscope {
namespace {

constexpr std::uint64_t kFirstSweep = 1ull << 48;  // distinct from the sweeps of the run
constexpr int kPlain = 3;                          // plain sweeps before each relaxing one
constexpr int kBudget = 24;                        // sweeps of one stage
constexpr int kQuick = 8;  // after so few sweeps the next stage may be larger
constexpr double kLargestStage = 0.01;
constexpr double kSmallestStage = 1e-6;
constexpr double kSafety = 1e-6;         // relative; covers the rounding to the coordinate grid
constexpr double kWidest = 1.38;         // cells keep four slots while disks overlap by 1 %
constexpr std::int64_t kWatch = 100;     // stages between tests of progress
constexpr std::int64_t kPatience = 50;   // stages of parting in a box of constant size
constexpr double kGrowth = 1e-3;         // of the box in each later one
constexpr double kLeastProgress = 0.02;  // of the mean gap, over kWatch stages

// Mean gap between disks relative to their diameter.
double gap(double packing) {
  return std::sqrt(std::numbers::pi / (2 * std::numbers::sqrt3) / packing) - 1;
}

float widthOf(double length, int m) {
  const double q = kCoordinateQuantum;
  return static_cast<float>(std::round(length / m / q) * q);
}

// Cells that hold slightly overlapping disks: narrower than chooseGrid's, or five slots.
GridInfo compressionGrid(double length, GridShape shape) {
  const std::int32_t step = columnStep(shape), fewest = fewestColumns(shape);
  std::int32_t m = std::max(fewest, step * static_cast<int>(std::ceil(length / kWidest / step)));
  int slots = 4;
  if (length / m < 1 && m > fewest) {
    m -= step;
    slots = kMaxSlots;
  }
  return gridOf(m, slots, widthOf(length, m), shape);
}

MpmcParameters relaxingMoves(const DiskSystem& system, std::uint64_t seed) {
  // About half the mean gap.
  const double d = std::clamp(0.5 * gap(system.packing()), 0.001, 0.3);
  return {.seed = seed, .d = static_cast<float>(d), .nMoves = 4};
}

bool suits(const GridInfo& g, double length) {
  if (length / g.m < 1) return false;
  return g.slots == kMaxSlots || boxLength(g) / g.m < kWidest * (1 + kLargestStage);
}

std::int64_t scaledQuanta(std::int64_t v, double ratio, std::int64_t total) {
  return wrapped(std::llround(static_cast<double>(v) * ratio), total);
}

// A coordinate in a cell of one width as that in one of another, rounded to the coordinate grid; no
// disk changes its cell.
float scaledInCell(float v, float from, float to) {
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  const double rounded =
      std::floor(static_cast<double>(v) * ratio * kQuantaPerLength + 0.5) / kQuantaPerLength;
  const double last = static_cast<double>(to) - 1.0 / kQuantaPerLength;
  return static_cast<float>(rounded > last ? last : rounded);
}

}  // namespace

GridPlacement DiskSystem::placementAt(GridOrigin origin) const {
  const Box all = box();
  return {static_cast<double>(origin.x) * kCoordinateQuantum,
          static_cast<double>(origin.y) * kCoordinateQuantum,
          grid().w,
          {all.length[0], all.length[1]}};
}

void DiskSystem::adopt(const DiskCells& cells, std::int64_t disks, GridOrigin origin) {
  engine_->upload(cells);
  ++revision_;
  disks_ = disks;
  origin_ = origin;
}

GridOrigin DiskSystem::moved(GridOrigin origin, const CellShift& shift, int sign) const {
  const int along = shift.direction < 2 ? 0 : 1;
  const std::int64_t step = std::llround(static_cast<double>(shift.d) / kCoordinateQuantum);
  std::int64_t& axis = along == 0 ? origin.x : origin.y;
  axis = wrapped(axis + (shift.direction & 1 ? -sign : sign) * step, sideQuanta(grid(), along));
  return origin;
}

void DiskSystem::sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) {
  engine_->sweeps(p, first, count);
  ++revision_;
  for (std::uint64_t s = first; s < first + count; ++s)
    origin_ = moved(origin_, scheduleOfSweep(p, grid().w, s).shift, 1);
  if (p.experiments.roundsShift()) countDisks();
}

void DiskSystem::shift(const CellShift& shift) {
  engine_->shift(shift);
  ++revision_;
  origin_ = moved(origin_, shift, 1);
  if (shift.rounding > 0) countDisks();
}

void DiskSystem::rescale(float w) {
  DiskCells cells = engine_->download();
  const double ratio = static_cast<double>(w) / cells.grid.w;
  const std::size_t count = cells.grid.cellCount();
  for (std::size_t slot = 0; slot < cells.grid.slotCount(); ++slot) {
    if (slot / count >= cells.count.data()[slot % count]) continue;
    Vec2& d = cells.disk.data()[slot];
    d = {scaledInCell(d.x, cells.grid.w, w), scaledInCell(d.y, cells.grid.w, w)};
  }
  cells.grid.w = w;
  const GridOrigin origin{scaledQuanta(origin_.x, ratio, sideQuanta(cells.grid, 0)),
                          scaledQuanta(origin_.y, ratio, sideQuanta(cells.grid, 1))};
  adopt(cells, disks_, origin);
}

void DiskSystem::regrid(const GridInfo& to) {
  const DiskCells cells = engine_->download();
  DiskPositions p = positionsOf(cells);
  const double ratio = boxLength(to) / boxLength(cells.grid);
  const Box box = boxOf(to);
  for (std::size_t k = 0; k < p.xy.size(); ++k)
    p.xy[k] = std::min(p.xy[k] * ratio, box.length[k % 2]);
  const GridOrigin origin{scaledQuanta(origin_.x, ratio, sideQuanta(to, 0)),
                          scaledQuanta(origin_.y, ratio, sideQuanta(to, 1))};
  adopt(fillCells(to, p.xy, p.ids), disks_, origin);
}

void MappingRace::begin(DiskSystem& system, const MpmcParameters& p,
                        const MpmcMappingInfo* chosen) {
  system_ = &system;
  sweeps_ = trials_ = 0;
  system.engine().setMapping(chosen ? *chosen : kMpmcMappings[0]);
  std::vector<RaceCandidate> candidates;
  for (const MpmcMappingInfo& m : kMpmcMappings)
    if (!chosen && system.engine().offers(m, p))
      candidates.push_back(
          {m.key, [this, &m] { system_->engine().setMapping(m); },
           [this](std::uint64_t sweeps) { system_->sweeps(*moves_, first_, sweeps); }});
  race_.begin(std::move(candidates));
}

std::uint64_t MappingRace::advance(DiskSystem& system, const MpmcParameters& p, std::uint64_t first,
                                   std::uint64_t most) {
  system_ = &system;
  moves_ = &p;
  first_ = first;
  const std::uint64_t before = sumOf(system.engine().counters().attempted);
  const std::uint64_t done = race_.advance(most);
  trials_ += static_cast<double>(sumOf(system.engine().counters().attempted) - before);
  sweeps_ += static_cast<double>(done);
  return done;
}

std::optional<Curve> MappingRace::chart() const {
  if (race_.results().empty()) return {};
  return raceCurve(race_,
                   {"mapping_race", "Mapping race", "thread mapping", "trial moves / s",
                    "median of the batches of sweeps; error: median absolute deviation"},
                   trials_ / sweeps_);
}

void Compression::begin(const DiskSystem& system, double target) {
  state.active = true;
  state.target = target;
  state.startLength = state.watchedLength = system.length();
  state.stage = kLargestStage;
  state.stages = 0;
  state.parting = system.engine().check().overlaps > 0;
}

Compression::Outcome Compression::stage(DiskSystem& system, std::uint64_t seed,
                                        const std::function<void()>& round) {
  const double goal = boxLength(system.gridAt(state.target));
  ++state.stages;
  if (state.parting) {
    part(system, seed, round);
    return Outcome::working;
  }
  // A box that grows by less than the safety margin could overlap by rounding: it shrinks first.
  if (goal >= system.length() * (1 + kSafety)) return expand(system);
  return compress(system, seed, round);
}

Compression::Outcome Compression::expand(DiskSystem& system) {
  const GridInfo final = system.gridAt(state.target);
  const double next = system.length() * (1 + kLargestStage);
  if (next >= boxLength(final)) return finish(system);
  const double packing = packingOf(system.grid(), system.disks()) / std::pow(1 + kLargestStage, 2);
  system.regrid(system.gridAt(packing));
  return Outcome::working;
}

Compression::Outcome Compression::compress(DiskSystem& system, std::uint64_t seed,
                                           const std::function<void()>& round) {
  const double length = system.length();
  // A box shorter than the goal by 2 kSafety grows to it in finish(), which cannot overlap.
  const double goal = boxLength(system.gridAt(state.target)) * (1 - 2 * kSafety);
  state.stage = std::min(state.stage, std::clamp(0.1 * gap(system.packing()), 1e-5, kLargestStage));
  const double wanted = std::max(goal, length * (1 - state.stage));
  if (!suits(system.grid(), wanted)) {
    GridInfo g = compressionGrid(wanted, shapeOf(system.grid()));
    g.w = widthOf(length * (1 + kSafety), g.m);
    system.regrid(g);
  }
  const float w = std::min(widthOf(wanted, system.grid().m), system.grid().w - kCoordinateQuantum);
  system.rescale(std::max(w, 1.0f));
  const int used = relax(system, seed, round);
  if (used > kBudget)
    state.stage = std::max(state.stage / 2, kSmallestStage);
  else if (used <= kQuick)
    state.stage *= 1.5;
  if (system.length() <= goal * (1 + kSafety)) return finish(system);
  if (state.stages % kWatch) return Outcome::working;
  const double before = std::exchange(state.watchedLength, system.length());
  const double progress = kLeastProgress * gap(system.packing());
  if (system.length() <= before * (1 - progress)) return Outcome::working;
  system.regrid(system.gridAt(system.packing() * (1 - 6 * kSafety)));
  state.active = false;
  return Outcome::stuck;
}

// If the overlaps are not removed in time, the box grows slightly from stage to stage.
void Compression::part(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round) {
  if (state.stages > kPatience) {
    const GridInfo g = system.grid();
    system.rescale(widthOf(boxLength(g) * (1 + kGrowth), g.m));
  }
  const MpmcParameters p = relaxingMoves(system, seed);
  for (int k = 0; k < kBudget; ++k) {
    relaxingSweep(system, p);
    if (round) round();
  }
  state.parting = system.engine().check().overlaps > 0;
  if (state.parting) return;
  state.startLength = state.watchedLength = system.length();
  state.stages = 0;
}

void Compression::relaxingSweep(DiskSystem& system, const MpmcParameters& p) {
  const std::uint64_t sweep = kFirstSweep + state.sweeps++;
  const SweepSchedule schedule = scheduleOfSweep(p, system.grid().w, sweep);
  for (const std::uint8_t set : schedule.set) system.engine().relax(p, sweep, set);
  system.shift(schedule.shift);
}

int Compression::relax(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round) {
  const MpmcParameters p = relaxingMoves(system, seed);
  MpmcEngine::OverlapReport report;
  for (int used = kPlain + 1; used <= kBudget; used += kPlain + 1) {
    // Plain sweeps also separate overlapping disks, and faster: they accept only overlap-free
    // positions.
    if (round) round();
    system.sweeps(p, kFirstSweep + state.sweeps, kPlain);
    state.sweeps += kPlain;
    relaxingSweep(system, p);
    report = system.engine().check();
    if (report.overlaps == 0) return used;
  }
  while (report.overlaps > 0) {
    const double grow = (1 + kSafety) / std::sqrt(static_cast<double>(report.smallestSquared));
    const double q = kCoordinateQuantum;
    system.rescale(static_cast<float>(std::ceil(system.grid().w * grow / q) * q));
    report = system.engine().check();
  }
  return kBudget + 1;
}

Compression::Outcome Compression::finish(DiskSystem& system) {
  const GridInfo final = system.gridAt(state.target);
  const GridInfo now = system.grid();
  if (now.m != final.m || now.w != final.w || now.slots != final.slots) system.regrid(final);
  state.active = false;
  return Outcome::done;
}

double Compression::progress(const DiskSystem& system) const {
  const double goal = boxLength(system.gridAt(state.target));
  const double whole = std::log(state.startLength / goal);
  if (whole == 0) return 1;
  return std::clamp(std::log(state.startLength / system.length()) / whole, 0.0, 1.0);
}

}  // namespace cellscope
