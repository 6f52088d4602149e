#include "sim/modes/hard_disks/disk_scene.h"

#include <fmt/format.h>

#include "sim/base/digits.h"
#include "sim/exec/cpu_exec.h"
#include "sim/layers/list.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/points.h"

namespace cellscope {
namespace {

// One mark per disk closer than one diameter to another, by the rule of the trial moves; empty
// beyond MoveTrace::kMostDisks.
std::vector<PointInstance> overlapMarks(const DiskSystem& system) {
  std::vector<PointInstance> marks;
  if (system.disks() > MoveTrace::kMostDisks) return marks;
  DiskCells cells = system.engine().download();
  const DiskCellsView view = cells.view();
  const GridPlacement grid = system.placement();
  for (int y = 0; y < view.grid.rows(); ++y)
    for (int x = 0; x < view.grid.m; ++x) {
      const Neighbourhood n = readNeighbourhood(view, x, y);
      for (int i = 0; i < n.count[kOwnCell]; ++i) {
        const Vec2 p = n.disk[kOwnCell][i];
        std::uint32_t nearest;
        if (nearestSquared(n, i, p, &nearest) < 1.0f)
          marks.push_back(pointAt({grid.globalX(x, p.x), grid.globalY(y, p.y), 0}, 0));
      }
    }
  return marks;
}

layers::CellGridView gridView(const DiskSystem& system, const GridPlacement& placement) {
  layers::CellGridView view{gridPlaceOf(system.grid(), placement), system.box()};
  view.count = system.engine().view().count;
  view.evenFirst = true;
  view.most = system.grid().slots;
  return view;
}

constexpr double kRadius = 0.5;    // of a disk, in sigma
constexpr int kMostPickRings = 3;  // of blocks of 3 x 3 cells

void lookAtBlock(PickSearch& search, const DiskSystem& system, int cx, int cy) {
  const GridPlacement grid = system.placement();
  const GridInfo& g = system.grid();
  const Neighbourhood n =
      copyNeighbourhood(system.engine().view(), system.engine().backend(), cx, cy);
  for (int k = 0; k < 9; ++k)
    for (int i = 0; i < n.count[k]; ++i) {
      const int nx = g.wrap(cx + k % 3 - 1), ny = g.wrapRow(cy + k / 3 - 1);
      search.look(n.id[k][i],
                  {grid.globalX(nx, n.disk[k][i].x), grid.globalY(ny, n.disk[k][i].y), 0}, kRadius);
    }
}

}  // namespace

void DiskScene::forgetState() {
  trace_.forget();
  moves_.clear();
  bondRevision_ = checkRevision_ = ~0ull;
  checked_ = false;
}

const MpmcEngine::OverlapReport& DiskScene::recentCheck(const DiskSystem& system) {
  const auto now = std::chrono::steady_clock::now();
  const bool old = system.disks() <= 20000 || now - checkTime_ > kCheckAge;
  if (!checked_ || (checkRevision_ != system.revision() && old)) {
    check_ = system.engine().check();
    checkRevision_ = system.revision();
    checkTime_ = now;
    checked_ = true;
  }
  return check_;
}

BondOrderView DiskScene::bondOrder(HardDisksMode& mode) {
  const DiskSystem& system = mode.system_;
  const std::size_t slots = system.grid().slotCount();
  const Backend where = system.engine().backend();
  if (bonds_.psi6.size() < slots || bonds_.psi6.where() != where) {
    bonds_ = {};  // first, so that both need not fit
    bonds_ = BondArrays::layout(slots).make(where);
    bondRevision_ = ~0ull;
  }
  const BondOrderView view = bonds_.view();
  if (bondRevision_ != system.revision()) {
    mode.sampler_.observables().bondOrder(system.engine().view(), mode.sampler_.neighbours(), view);
    bondRevision_ = system.revision();
  }
  return view;
}

layers::DisksInCellsView DiskScene::disks(const std::string& colouring, HardDisksMode& mode) {
  const DiskSystem& system = mode.system_;
  layers::DisksInCellsView view;
  view.cells = system.engine().view();
  view.placement = system.placement();
  view.disks = static_cast<std::size_t>(system.disks());
  layers::ChosenColouring chosen = layers::DiskColourings::choose(
      colouring, layers::DiskColourState{system.packing(), mode.sampler_.neighbours().label(),
                                         mode.domainsShown()});
  view.domains = mode.domainsShown();
  if (mode.staleHalos()) view.halo = kStaleHaloRows;
  view.colouring = chosen.index;
  view.scale = std::move(chosen.scale);
  if (chosen.needs & layers::kBondOrder) {
    const BondOrderView v = bondOrder(mode);
    view.psi6 = v.psi6;
    view.neighbours = v.neighbours;
    view.density = v.density;
  }
  return view;
}

layers::PickedMovesView DiskScene::pickedMoves() const {
  layers::PickedMovesView view{trace_.trials(), {}, {}};
  for (const TrialRecord& t : trace_.ownTrials())
    view.outcomes.push_back(t.outcome == TrialOutcome::accepted ? "accepted"
                            : t.outcome == TrialOutcome::leftCell
                                ? "leaves the cell"
                                : fmt::format("hits disk {}", t.blocking));
  for (const PickTrace::Tested& t : trace_.testedDisks())
    view.names.push_back(fmt::format("disk {}", t.id));
  return view;
}

layers::Structures DiskScene::structures(std::uint32_t needs, const std::string& colouring,
                                         HardDisksMode& mode) {
  using layers::Need;
  const auto needed = [&](Need need) { return (needs & layers::bit(need)) != 0; };
  const DiskSystem& system = mode.system_;
  layers::Structures s;
  s.particles = "disk";
  s.box = system.box();
  s.lend(&system.engine());
  const GridInfo& grid = system.grid();
  if (needed(Need::particles)) s.disks = disks(colouring, mode);
  if (needed(Need::cells)) s.cells = gridView(system, system.placement());
  if (needed(Need::activeSet))
    s.active = {gridView(system, system.placementAt(mode.activeOrigin())), mode.activeSet(),
                "active set: " + layers::setNames()[static_cast<std::size_t>(mode.activeSet())] +
                    (mode.shiftDone() ? ", before the shift" : "")};
  if (needed(Need::gridShift))
    s.shift = {system.placement(), grid.m,
               mode.shiftDone() ? mode.schedule_.shift : CellShift{0, 0.0f}};
  if (needed(Need::pickedMoves) && trace_.watched() >= 0) {
    s.pickedMoves = pickedMoves();
    s.tested = layers::testedSketch(trace_.stencil(), trace_.tested());
  }
  if (needed(Need::moves)) s.moves = moves_.view();
  if (needed(Need::messages) && mode.domainsShown() > 1) {
    // Where the rows of cells lay when they were sent: stale halos are from before the shift.
    const GridPlacement at =
        system.placementAt(mode.staleHalos() ? mode.activeOrigin() : system.origin());
    s.messages =
        layers::messageViews(system.engine().messages(), system.box(), 1, at.originY, at.w);
  }
  s.noMessages = layers::kNoMessages;
  if (needed(Need::overlaps) && recentCheck(system).overlaps > 0) s.overlaps = overlapMarks(system);
  return s;
}

std::vector<std::optional<Vec3d>> DiskScene::placesOf(const std::vector<ParticleId>& ids,
                                                      const DiskSystem& system) {
  std::vector<std::uint32_t> wanted;
  for (const ParticleId id : ids)
    wanted.push_back(id >= 0 && id < kNoId ? static_cast<std::uint32_t>(id) : kNoId);
  const GridPlacement grid = system.placement();
  std::vector<std::optional<Vec3d>> all;
  for (const FoundDisk& disk : finder_->find(system.engine().view(), {}, wanted)) {
    all.emplace_back();
    if (disk.slot == FoundDisk::kNone || wanted[all.size() - 1] == kNoId) continue;
    const CellSlot at = cellSlotOf(system.grid(), static_cast<std::size_t>(disk.slot));
    all.back() = Vec3d{grid.globalX(at.x, disk.local.x), grid.globalY(at.y, disk.local.y), 0};
  }
  return all;
}

std::vector<PointInstance> DiskScene::marks(const PickedParticle& picked, bool tested) const {
  std::vector<PointInstance> points;
  if (tested)
    for (const PickTrace::Tested& t : trace_.testedDisks())
      points.push_back(pointAt({t.x, t.y, 0}, static_cast<float>(t.part)));
  points.push_back({picked.position[0], picked.position[1], 0, 1,
                    static_cast<float>(layers::TestedPart::picked), 0});
  return points;
}

PickedParticle DiskScene::card(HardDisksMode& mode, const FoundDisk& disk) const {
  const DiskSystem& system = mode.system_;
  PickedParticle p;
  if (disk.slot == FoundDisk::kNone) return p;
  const CellSlot at = cellSlotOf(system.grid(), static_cast<std::size_t>(disk.slot));
  const Vec2 psi = disk.psi6;
  const GridPlacement grid = system.placement();
  const Vec3d r{grid.globalX(at.x, disk.local.x), grid.globalY(at.y, disk.local.y), 0};
  p.id = trace_.watched();
  p.place(r);
  const int set = checkerboardSet(at.x, at.y);
  const bool images = static_cast<std::int64_t>(disk.neighbours) >= system.disks();
  p.rows = {
      {"position", placeText(r, 2) + " sigma"},
      {"cell", fmt::format("({}, {}), slot {}", at.x, at.y, at.i)},
      {"set", layers::setNames()[static_cast<std::size_t>(set)]},
      {"neighbours", fmt::format("{} ({}{})", disk.neighbours, mode.sampler_.neighbours().label(),
                                 images ? ", with images" : "")},
      {"psi6", fmt::format("magnitude {:.3f}, phase {:+.3f} rad", std::hypot(psi.x, psi.y),
                           std::atan2(psi.y, psi.x))},
      {"local density", fmt::format("{:.3f} / sigma^2, packing {:.3f}", disk.density,
                                    disk.density * std::numbers::pi / 4)}};
  for (auto& row : trace_.rows()) p.rows.push_back(row);
  return p;
}

std::shared_ptr<Frame> DiskScene::frame(const ViewRequest& view, HardDisksMode& mode) {
  auto frame = std::make_shared<Frame>();
  frame->step = mode.step();
  frame->phase = mode.nextPhase() - 1;
  frame->box = mode.system_.box();
  trace_.watch(view.picked < kNoId ? view.picked : -1);
  moves_.want(view.still && view.shows(layers::kMoves));
  const layers::LayerList shown = layers::shown(layers::hardDiskLayers(), view.layers);
  std::vector<PointInstance> picked;
  if (trace_.watched() >= 0) {
    const std::vector<std::uint32_t> id = {static_cast<std::uint32_t>(trace_.watched())};
    frame->picked =
        card(mode, finder_->find(mode.system_.engine().view(), bondOrder(mode), id).front());
    if (frame->picked.id < 0) {
      trace_.watch(-1);  // no disk of this id
    } else {
      trace_.bringTo({frame->picked.position[0], frame->picked.position[1], 0}, mode.system_.box());
      picked = marks(frame->picked, view.shows(layers::kTested));
    }
  }
  layers::Structures s = structures(layers::needsOf(shown), view.colouring, mode);
  s.picked = std::move(picked);
  s.pickedWithTested = view.shows(layers::kTested);
  layers::Canvas canvas{&finder_->packer(), *frame};
  layers::drawAll(shown, s, canvas);
  return frame;
}

// In rings of blocks of 3 x 3 cells around the point's cell, until no nearer disk can come.
ParticleId DiskScene::pick(const PickQuery& query, const DiskSystem& system) {
  const GridPlacement grid = system.placement();
  const double px = query.origin[0], py = query.origin[1];
  if (!(px >= 0 && px < grid.length[0] && py >= 0 && py < grid.length[1])) return -1;
  const auto local = [&](double v, double origin, int axis) {
    const double shifted = v - origin;
    return shifted < 0 ? shifted + grid.length[axis] : shifted;
  };
  const int m = system.grid().m, rows = system.grid().rows();
  const int cx = std::min(m - 1, static_cast<int>(local(px, grid.originX, 0) / grid.w));
  const int cy = std::min(rows - 1, static_cast<int>(local(py, grid.originY, 1) / grid.w));
  PickSearch search(query, system.box());
  for (int ring = 0; ring <= kMostPickRings; ++ring) {
    const double known = std::max(0, 3 * ring - 2) * grid.w;  // all within this was looked at
    if (ring > 0 && search.limit() + kRadius <= known) break;
    for (int by = -ring; by <= ring; ++by)
      for (int bx = -ring; bx <= ring; ++bx)
        if (std::max(std::abs(bx), std::abs(by)) == ring)
          lookAtBlock(search, system,
                      static_cast<int>(wrapped(std::int64_t{cx} + 3 * bx, std::int64_t{m})),
                      static_cast<int>(wrapped(std::int64_t{cy} + 3 * by, std::int64_t{rows})));
  }
  return search.found();
}

std::unique_ptr<DiskFinder> makeDiskFinderCpu(const exec::Shared& exec) {
  return std::make_unique<DiskFinderOn<exec::CpuExec>>(exec);
}

}  // namespace cellscope
