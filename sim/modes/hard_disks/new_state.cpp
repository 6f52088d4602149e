#include "sim/algo/observables/disk_observables.h"
#include "sim/exec/memory.h"
#include "sim/layers/layers.h"
#include "sim/modes/hard_disks/initial_states.h"
#include "sim/modes/points.h"

namespace cellscope {
namespace {

// Of the time of a random start: the approximate fraction spent on inserting the disks.
constexpr double kPlacingShare = 0.1;

// ids: of the engine, n.
void fill(DiskSystem& system, const GridInfo& grid, const std::vector<double>& xy,
          const std::vector<std::uint32_t>& ids) {
  system.adopt(fillCells(grid, xy, ids), static_cast<std::int64_t>(ids.size()));
}

void fill(DiskSystem& system, const GridInfo& grid, const std::vector<double>& xy) {
  std::vector<std::uint32_t> ids(xy.size() / 2);
  std::iota(ids.begin(), ids.end(), 0u);
  fill(system, grid, xy, ids);
}

void reportProgress(const WorkReport& report, const std::string& label, double progress) {
  if (report) report({label, progress});
}

void compressTo(NewState& s, double packing, std::uint64_t seed, const WorkReport& report) {
  Compression compression;
  compression.begin(s.system, packing);
  // Sweeps do not change the box: between two stages the packing of the last one is reported.
  double reached = s.system.packing(), progress = 0;
  const auto reportStage = [&] {
    reportProgress(report, fmt::format("compressing: packing {:.3f} of {:.3f}", reached, packing),
                   kPlacingShare + (1 - kPlacingShare) * progress);
  };
  Compression::Outcome outcome = Compression::Outcome::working;
  while (outcome == Compression::Outcome::working) {
    outcome = compression.stage(s.system, seed, reportStage);
    reached = s.system.packing();
    progress = std::max(progress, compression.progress(s.system));
  }
  s.compression = compression.state;
  if (outcome == Compression::Outcome::stuck)
    throw InputError(
        "parameter 'packing': {} was not reached from a random start: the compression jammed at "
        "{:.5f}; use 'packing' = {:.2f} or less, or start = hexagonal",
        packing, s.system.packing(), std::floor(s.system.packing() * 100) / 100);
}

// --- Loaded configurations ---

constexpr const char* kMode = "hard_disks";

// The range of the parameter, except for rounding: a state outside could not be resumed, and the
// cells of an almost empty box would fill the memory.
double packingInRange(std::size_t n, const Box& box) {
  using P = HardDiskParameters;
  constexpr double kRounding = 1e-3;
  const double packing = static_cast<double>(n) * std::numbers::pi / 4.0 / box.volume();
  if (packing < P::kSmallestPacking * (1 - kRounding) ||
      packing > P::kLargestPacking * (1 + kRounding))
    throw InputError("configuration: its packing fraction is {:.4g}; allowed: {:g} to {:g}",
                     packing, P::kSmallestPacking, P::kLargestPacking);
  return packing;
}

// In diameters, and in order of their ids, so that the order of a file's lines does not matter.
DiskPositions disksOf(const Configuration& c, double diameter) {
  DiskPositions disks;
  const IdMap order(c.ids);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto [id, slot] = order.entry(k);
    if (id >= kNoId)
      throw InputError(
          "configuration: id {} is too large; mode '{}' accepts ids from 0 to {}; renumber the "
          "particles or leave out the ids",
          id, kMode, kNoId - 1);
    disks.ids.push_back(static_cast<std::uint32_t>(id));
    for (std::size_t a = 0; a < 2; ++a) disks.xy.push_back(c.positions[3 * slot + a] / diameter);
  }
  return disks;
}

// Throws if two disks are closer than `limit`, naming them.
void refuseOverlaps(const DiskPositions& disks, const Box& box, double limit) {
  Points before(box, limit, 1 << 20);
  before.reserve(disks.ids.size());
  for (std::size_t k = 0; k < disks.ids.size(); ++k) {
    const Vec3d at{disks.xy[2 * k], disks.xy[2 * k + 1], 0};
    if (const auto other = before.near(at)) {
      const Vec3d d = box.minimumImage(at - before.points()[*other]);
      throw InputError(
          "configuration: disks {} and {} overlap: their distance is {:.7f} diameters; distances "
          "must be at least 1; move or remove one",
          disks.ids[*other], disks.ids[k], std::hypot(d.x, d.y));
    }
    before.add(at);
  }
}

// Of n disks at this packing: inserted at random at low density, then compressed.
NewState randomState(const HardDiskParameters& p, std::int64_t n, double packing,
                     const exec::Shared& exec, const WorkReport& report) {
  const auto seed = static_cast<std::uint64_t>(p.seed);
  NewState s{DiskSystem(exec), {}};
  // Up to this packing random insertion is fast; the rest is compression.
  const double start = std::min(packing, n > 1000000 ? 0.40 : 0.45);
  const GridInfo grid = chooseGrid(n, start, p.shape()).grid;
  checkMemory(n, grid, exec->config(),
              start < packing ? BoxHistory::changing : BoxHistory::constant);
  const double share = start < packing ? kPlacingShare : 1;
  const auto placed = [&](std::int64_t disks) {
    reportProgress(report, fmt::format("inserting disks: {} of {}", disks, n),
                   share * static_cast<double>(disks) / static_cast<double>(n));
  };
  fill(s.system, grid, randomPositions(n, boxOf(grid), seed, placed));
  if (start < packing) compressTo(s, packing, seed, report);
  return s;
}

NewState latticeState(const HardDiskParameters& p, const exec::Shared& exec,
                      const WorkReport& report) {
  reportProgress(report, fmt::format("inserting {} disks", p.n), -1);
  NewState s{DiskSystem(exec), {}};
  const GridInfo grid = p.grid();
  checkMemory(p.n, grid, exec->config(), BoxHistory::constant);
  const LatticeShape lattice = latticeShape(p.startKind(), p.n, p.shape().aspect());
  fill(s.system, grid, latticePositions(lattice, p.n, boxLength(grid)));
  return s;
}

// Prepares each phase in the whole box, then combines the two regions.
NewState coexistingState(const HardDiskParameters& p, const exec::Shared& exec,
                         const WorkReport& report) {
  const GridInfo grid = p.grid();
  checkMemory(p.n, grid, exec->config(), BoxHistory::changing);
  const Box box = boxOf(grid);
  const auto disksAt = [&](double packing) {
    return std::llround(packing * 4 * box.length[0] * box.length[1] / std::numbers::pi);
  };
  HexaticRegion region(p.packing, box);
  // Liquid disks closer than one diameter to a lattice site are removed. That leaves a gap of at
  // most this width along the boundary, in sigma, and around a nucleus of one site at most this
  // area, in sigma^2: both phases start slightly denser than at equilibrium.
  constexpr double kSeam = 0.8, kNucleus = 10;
  const double more = 1 + (kNucleus + kSeam * region.boundary()) / box.volume();
  const std::int64_t ordered = disksAt(more * kHexaticPacking);
  const std::int64_t loose = disksAt(more * kLiquidPacking);
  const LatticeShape shape = latticeShape(DiskStart::hexagonal, ordered, p.shape().aspect());
  region.holdWholeRows(shape.rows);

  // The liquid is prepared in a slightly smaller box, so that scaling leaves room for rounding.
  const double smaller = box.length[0] * (1 - 2 * kPlacementGap);
  NewState s = randomState(p, loose, packingOf(loose, smaller, p.shape()), exec, report);
  reportProgress(report, "joining the two phases", -1);
  std::vector<double> liquid = positionsOf(s.system.engine().download()).xy;
  const double ratio = box.length[0] / s.system.length();
  for (std::size_t k = 0; k < liquid.size(); ++k)
    liquid[k] = std::min(liquid[k] * ratio, std::nextafter(box.length[k % 2], 0.0));
  const std::vector<double> lattice = latticePositions(shape, ordered, box.length[0]);
  fill(s.system, grid, joinedPhases(region, lattice, liquid, p.n, box));
  return s;
}

// Lists on the host while disks are on their way into cells: coordinates as they are placed and as
// they are scaled, ids, and the order in which they were found.
constexpr std::size_t kListsPerDisk = 64;

}  // namespace

NewState newState(const HardDiskParameters& p, const exec::Shared& exec, const WorkReport& report) {
  checkPossible(p.n, p.packing, p.startKind(), p.shape());
  const DiskStart start = p.startKind();
  NewState s = start == DiskStart::random        ? randomState(p, p.n, p.packing, exec, report)
               : start == DiskStart::coexistence ? coexistingState(p, exec, report)
                                                 : latticeState(p, exec, report);
  const MpmcEngine::OverlapReport found = s.system.engine().check();
  if (found.overlaps > 0)
    throw RunError("the initial state has {} overlaps; lower 'packing' a little", found.overlaps);
  return s;
}

NewState adoptedState(const Configuration& c, const exec::Shared& exec, const WorkReport& report) {
  constexpr double kRounding = 1e-6;  // positions are rounded to the coordinate grid
  requireDimension(c, 2, kMode);
  requireValid(c);
  const double diameter = onlySpecies(c, kMode).diameter;
  const Box box{2, {c.box.length[0] / diameter, c.box.length[1] / diameter, 1}};
  const GridShape shape =
      shapeOfAspect(box.length[1] / box.length[0], kRounding,
                    "configuration: the ratio of the sides of its box, L_y / L_x,");
  if (c.size() < 4) throw InputError("configuration: {} disks are too few; at least 4", c.size());
  const double packing = packingInRange(c.size(), box);
  reportProgress(report, "checking the configuration for overlaps", -1);
  const DiskPositions disks = disksOf(c, diameter);
  refuseOverlaps(disks, box, 1 - kRounding);
  const auto n = static_cast<std::int64_t>(c.size());
  NewState s{DiskSystem(exec), {}};
  // Touching disks may overlap after rounding: this is removed by growing the box by 1e-6 of its
  // length, up to three times.
  for (int attempt = 0; attempt < 4; ++attempt) {
    reportProgress(report, "sorting the disks into cells", -1);
    const double factor = 1 + kRounding * attempt;
    const GridInfo grid = chooseGrid(n, packing / (factor * factor), shape).grid;
    checkMemory(n, grid, exec->config(), BoxHistory::constant);
    const Box to = boxOf(grid);
    std::vector<double> scaled = disks.xy;
    for (std::size_t k = 0; k < scaled.size(); ++k)
      scaled[k] = std::min(scaled[k] * (to.length[k % 2] / box.length[k % 2]), to.length[k % 2]);
    fill(s.system, grid, scaled, disks.ids);
    if (s.system.engine().check().overlaps == 0) return s;
  }
  throw InputError(
      "configuration: disks overlap after rounding to the coordinate grid; load it with a slightly "
      "smaller radius");
}

// A box of another size is filled on the host from a copy of the present cells, and the new engine
// stands beside the old one until it is complete.
MemoryNeed diskMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                      BoxHistory history) {
  const auto disks = static_cast<std::size_t>(n);
  const std::size_t times = history == BoxHistory::changing ? 2 : 1;
  const std::size_t host = kListsPerDisk * disks + times * DiskCells::layout(grid).bytes();
  MemoryNeed need =
      engineMemory(disks, times * mpmcBytes(grid, config), host, sizeof(PointInstance), config);
  // For frames of disks beside their points: bond order of every slot, and what packs the disks
  // cell by cell.
  if (config.drawn)
    need.running += BondArrays::layout(grid.slotCount()).bytes() +
                    layers::PackScratch::layout(grid.cellCount()).bytes() +
                    exec::scanScratch(grid.cellCount(), config);
  return need;
}

}  // namespace cellscope
