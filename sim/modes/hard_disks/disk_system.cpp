#include "sim/modes/hard_disks/disk_system.h"

#include <algorithm>
#include <cmath>

namespace cellscope {

static std::int64_t scaledQuanta(std::int64_t v, double ratio, std::int64_t total) {
  return wrapped(std::llround(static_cast<double>(v) * ratio), total);
}

// A coordinate in a cell of one width as that in one of another, rounded to the coordinate grid; no
// disk changes its cell.
static float scaledInCell(float v, float from, float to) {
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  const double rounded =
      std::floor(static_cast<double>(v) * ratio * kQuantaPerLength + 0.5) / kQuantaPerLength;
  const double last = static_cast<double>(to) - 1.0 / kQuantaPerLength;
  return static_cast<float>(rounded > last ? last : rounded);
}

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

}  // namespace cellscope
