#include "sim/modes/hard_disks/disk_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/hard_disks/overlap_marks.h"
#include "sim/modes/pick_search.h"

namespace cellscope {
namespace {

// The titles name the neighbours wherever the colour depends on them.
ColourScale scaleOf(DiskColour colour, double packing, const NeighbourChoice& neighbours) {
  const auto phi = static_cast<float>(packing);
  switch (colour) {
    case DiskColour::psi6Phase:
      return layers::phaseScale("arg psi6, " + neighbours.label());
    case DiskColour::psi6Modulus:
      return layers::sequential("|psi6|, " + neighbours.label(), "", 0, 1);
    case DiskColour::density:
      return layers::sequential("local packing fraction, " + neighbours.label(), "",
                                std::max(0.0f, phi - 0.15f), std::min(1.0f, phi + 0.15f));
    case DiskColour::cell:
      return layers::categories("cell (x mod 3, y mod 3)",
                                {"0 0", "1 0", "2 0", "0 1", "1 1", "2 1", "0 2", "1 2", "2 2"});
    case DiskColour::set:
      return layers::setScale("checkerboard set");
    case DiskColour::neighbours:
      return layers::categories(neighbours.label(),
                                {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9 or more"});
    default:
      return layers::plainScale("disks");
  }
}

bool needsBondOrder(DiskColour c) {
  return c == DiskColour::psi6Phase || c == DiskColour::psi6Modulus || c == DiskColour::density ||
         c == DiskColour::neighbours;
}

std::string activeTitle(const SceneState& state) {
  if (state.activeSet < 0) return "active set";
  return "active set: " + layers::setNames()[static_cast<std::size_t>(state.activeSet)] +
         (state.shiftDone ? ", before the shift" : "");
}

// The last shift in words.
ColourScale shiftScale(const CellShift& shift) {
  static constexpr const char* kTo[] = {"right", "left", "up", "down"};
  ColourScale scale = layers::plainScale("cell shift");
  scale.marks = {Mark::arrow};
  scale.categories = {fmt::format("{:.3f} sigma {}", shift.d, kTo[shift.direction & 3])};
  return scale;
}

template <class T>
void ensureSize(exec::Array<T>& a, Backend where, std::size_t n) {
  if (a.size() < n || a.where() != where) a = exec::Array<T>(where, n);
}

}  // namespace

DiskColour diskColour(const std::string& key) {
  const auto& all = HardDisksMode::describe().colourings;
  if (key.empty()) return DiskColour::psi6Phase;
  static const std::vector<std::pair<std::string, DiskColour>> colours = {
      {"psi6_phase", DiskColour::psi6Phase},
      {"psi6", DiskColour::psi6Modulus},
      {"density", DiskColour::density},
      {"neighbours", DiskColour::neighbours},
      {"cell", DiskColour::cell},
      {"set", DiskColour::set},
      {"plain", DiskColour::plain}};
  for (const auto& [name, colour] : colours)
    if (name == key) return colour;
  std::vector<std::string> known;
  for (const ColouringInfo& c : all) known.push_back(c.key);
  throw InputError(fmt::format("unknown colouring '{}'; one of {}", key, fmt::join(known, ", ")));
}

std::vector<LineInstance> shiftArrows(const GridPlacement& grid, int m, const CellShift& shift) {
  std::vector<LineInstance> lines;
  if (!(shift.d > 0)) return lines;
  const int stride = (m + 47) / 48;
  const double sign = shift.direction & 1 ? -1 : 1;
  const double ux = shift.direction < 2 ? sign : 0, uy = shift.direction < 2 ? 0 : sign;
  for (int y = 0; y < m; y += stride)
    for (int x = 0; x < m; x += stride) {
      const double tipX = grid.globalX(x, 0.0f), tipY = grid.globalY(y, 0.0f);
      LineInstance l{};
      l.a[0] = static_cast<float>(tipX - ux * shift.d);
      l.a[1] = static_cast<float>(tipY - uy * shift.d);
      l.b[0] = static_cast<float>(tipX);
      l.b[1] = static_cast<float>(tipY);
      lines.push_back(l);
    }
  return lines;
}

DiskScene::DiskScene(const ExecConfig& config) : painter_(makeDiskPainter(config)) {}

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

BondOrderView DiskScene::bondOrder(const SceneState& state, const DiskSystem& system,
                                   DiskObservables& observables) {
  const std::size_t slots = system.grid().slotCount();
  const Backend where = system.engine().backend();
  ensureSize(psi6_, where, slots);
  ensureSize(neighbours_, where, slots);
  ensureSize(density_, where, slots);
  const BondOrderView view{psi6_.data(), neighbours_.data(), density_.data()};
  if (bondRevision_ != system.revision()) {
    observables.bondOrder(system.engine().view(), state.neighbours, view);
    bondRevision_ = system.revision();
  }
  return view;
}

LayerData DiskScene::disks(const std::string& colouring, const SceneState& state,
                           const DiskSystem& system, DiskObservables& observables) {
  const DiskColour colour = diskColour(colouring);
  DiskValues values;
  if (needsBondOrder(colour)) {
    const BondOrderView v = bondOrder(state, system, observables);
    values = {v.psi6, v.neighbours, v.density};
  }
  LayerData layer;
  layer.key = layers::kDisks;
  layer.primitive = Primitive::points;
  layer.count = static_cast<std::size_t>(system.disks());
  layer.scale = scaleOf(colour, system.packing(), state.neighbours);
  layer.buffer =
      painter_->disks(system.engine().view(), system.placement(), colour, values, layer.count);
  return layer;
}

LayerData DiskScene::cellLayer(const std::string& key, const SceneState& state,
                               const DiskSystem& system) {
  const auto side = static_cast<std::size_t>(system.grid().m + 1);
  LayerData layer;
  layer.key = key;
  layer.primitive = Primitive::boxes;
  layer.count = side * side;
  const bool active = key == layers::kActive;
  const CellColour colour = active                 ? CellColour::active
                            : key == layers::kSets ? CellColour::set
                                                   : CellColour::occupancy;
  layer.scale = colour == CellColour::occupancy ? layers::occupancyScale(system.grid().places)
                : active                        ? layers::setScale(activeTitle(state))
                                                : layers::setScale("checkerboard sets");
  const GridPlacement placement =
      active ? system.placementAt(state.activeOrigin) : system.placement();
  layer.buffer = painter_->cells(system.engine().view(), placement, colour, state.activeSet);
  return layer;
}

LayerData DiskScene::hostLayer(const std::string& key, const SceneState& state,
                               const DiskSystem& system) {
  if (key == layers::kShift) {
    const CellShift shift = state.shiftDone ? state.shift : CellShift{0, 0.0f};
    return layerOf(key, Primitive::lines, shiftArrows(system.placement(), system.grid().m, shift),
                   shiftScale(shift));
  }
  if (key == layers::kStencil)
    return layerOf(key, Primitive::boxes, trace_.stencil(), layers::stencilScale());
  if (key == layers::kTested)
    return layerOf(key, Primitive::lines, trace_.tested(), layers::testedScale());
  if (key == layers::kTrials)
    return layerOf(key, Primitive::lines, trace_.trials(), layers::trialScale());
  throw InputError(fmt::format("unknown layer '{}' of mode 'hard_disks'", key));
}

void DiskScene::addMoves(Frame& frame) const {
  LayerData marks = layerOf(layers::kMoves, Primitive::points, moves_.marks(), layers::moveScale());
  LayerData paths =
      layerOf(layers::kMovePaths, Primitive::lines, moves_.paths(), layers::moveScale());
  marks.events = paths.events = true;
  frame.layers.push_back(std::move(marks));
  frame.layers.push_back(std::move(paths));
}

// Around the picked disk and those that it was tested against, where they are now.
LayerData DiskScene::rings(const DiskSystem& system, const PickedParticle& picked, bool tested) {
  std::vector<PointInstance> points;
  const DiskCellsView cells = system.engine().view();
  const GridPlacement grid = system.placement();
  for (const PickTrace::Tested& t : trace_.testedDisks()) {
    const auto place = tested ? painter_->find(cells, t.id) : std::nullopt;
    if (!place) continue;
    Vec2 local{};
    exec::copy(Backend::cpu, &local, system.engine().backend(),
               cells.disk + cells.grid.slot(place->x, place->y, place->i), sizeof local);
    points.push_back({static_cast<float>(grid.globalX(place->x, local.x)),
                      static_cast<float>(grid.globalY(place->y, local.y)), 0, 1,
                      static_cast<float>(t.part), 0});
  }
  points.push_back({picked.position[0], picked.position[1], 0, 1,
                    static_cast<float>(layers::TestedPart::picked), 0});
  return layers::pickedRings(points,
                             tested ? layers::testedScale() : layers::pickedScale("picked disk"));
}

PickedParticle DiskScene::card(const SceneState& state, const DiskSystem& system,
                               DiskObservables& observables) {
  PickedParticle p;
  const DiskCellsView cells = system.engine().view();
  const auto place = painter_->find(cells, static_cast<std::uint32_t>(trace_.watched()));
  if (!place) return p;
  const Backend where = system.engine().backend();
  const std::size_t slot = cells.grid.slot(place->x, place->y, place->i);
  Vec2 local{}, psi{};
  exec::copy(Backend::cpu, &local, where, cells.disk + slot, sizeof local);
  const BondOrderView order = bondOrder(state, system, observables);
  std::uint8_t neighbours = 0;
  float density = 0;
  exec::copy(Backend::cpu, &psi, where, order.psi6 + slot, sizeof psi);
  exec::copy(Backend::cpu, &neighbours, where, order.neighbours + slot, sizeof neighbours);
  exec::copy(Backend::cpu, &density, where, order.density + slot, sizeof density);
  const GridPlacement grid = system.placement();
  const double x = grid.globalX(place->x, local.x), y = grid.globalY(place->y, local.y);
  p.id = trace_.watched();
  p.position[0] = static_cast<float>(x);
  p.position[1] = static_cast<float>(y);
  const int set = checkerboardSet(place->x, place->y);
  p.rows = {{"position", fmt::format("({:.4f}, {:.4f}) sigma", x, y)},
            {"cell", fmt::format("({}, {}), place {}", place->x, place->y, place->i)},
            {"set", layers::setNames()[static_cast<std::size_t>(set)]},
            {"neighbours", fmt::format("{} ({})", neighbours, state.neighbours.label())},
            {"psi6", fmt::format("modulus {:.3f}, phase {:+.3f} rad", std::hypot(psi.x, psi.y),
                                 std::atan2(psi.y, psi.x))},
            {"local density", fmt::format("{:.3f} / sigma^2, packing {:.3f}", density,
                                          density * std::numbers::pi / 4)}};
  for (auto& row : trace_.rows()) p.rows.push_back(row);
  return p;
}

std::shared_ptr<Frame> DiskScene::frame(const ViewRequest& view, const SceneState& state,
                                        const DiskSystem& system, DiskObservables& observables) {
  auto frame = std::make_shared<Frame>();
  frame->step = state.step;
  frame->phase = state.phase;
  frame->box.dimension = 2;
  frame->box.length[0] = frame->box.length[1] = system.length();
  trace_.watch(view.picked < system.disks() ? view.picked : -1);
  const auto on = [&](const char* key) {
    return std::find(view.layers.begin(), view.layers.end(), key) != view.layers.end();
  };
  moves_.want(view.still && on(layers::kMoves));
  for (const LayerInfo& info : layers::hardDiskLayers()) {
    if (!on(info.key.c_str())) continue;
    if (info.key == layers::kDisks)
      frame->layers.push_back(disks(view.colouring, state, system, observables));
    else if (info.key == layers::kCells || info.key == layers::kSets || info.key == layers::kActive)
      frame->layers.push_back(cellLayer(info.key, state, system));
    else if (info.key == layers::kMoves)
      addMoves(*frame);
    else
      frame->layers.push_back(hostLayer(info.key, state, system));
  }
  if (on(layers::kDisks) && recentCheck(system).overlaps > 0)
    frame->layers.push_back(layers::overlapRings(overlapMarks(system)));
  if (trace_.watched() < 0) return frame;
  frame->picked = card(state, system, observables);
  frame->layers.push_back(rings(system, frame->picked, on(layers::kTested)));
  return frame;
}

namespace {

constexpr double kRadius = 0.5;    // of a disk, in sigma
constexpr int kMostPickRings = 3;  // of blocks of 3 x 3 cells

void lookAtBlock(PickSearch& search, const DiskSystem& system, int cx, int cy) {
  const GridPlacement grid = system.placement();
  const GridInfo& g = system.grid();
  const Neighbourhood n =
      copyNeighbourhood(system.engine().view(), system.engine().backend(), cx, cy);
  for (int k = 0; k < 9; ++k)
    for (int i = 0; i < n.count[k]; ++i) {
      const int nx = g.wrap(cx + k % 3 - 1), ny = g.wrap(cy + k / 3 - 1);
      search.look(n.id[k][i], grid.globalX(nx, n.disk[k][i].x), grid.globalY(ny, n.disk[k][i].y), 0,
                  kRadius);
    }
}

}  // namespace

// In rings of blocks of 3 x 3 cells around the point's cell, until no nearer disk can come.
std::int64_t DiskScene::pick(const PickQuery& query, const DiskSystem& system) {
  const GridPlacement grid = system.placement();
  const double px = query.origin[0], py = query.origin[1];
  if (!(px >= 0 && px < grid.length && py >= 0 && py < grid.length)) return -1;
  const auto local = [&](double v, double origin) {
    const double shifted = v - origin;
    return shifted < 0 ? shifted + grid.length : shifted;
  };
  const int m = system.grid().m;
  const int cx = std::min(m - 1, static_cast<int>(local(px, grid.originX) / grid.w));
  const int cy = std::min(m - 1, static_cast<int>(local(py, grid.originY) / grid.w));
  PickSearch search(query, 2, {grid.length, grid.length, 0});
  for (int ring = 0; ring <= kMostPickRings; ++ring) {
    const double known = std::max(0, 3 * ring - 2) * grid.w;  // all within this was looked at
    if (ring > 0 && search.limit() + kRadius <= known) break;
    for (int by = -ring; by <= ring; ++by)
      for (int bx = -ring; bx <= ring; ++bx)
        if (std::max(std::abs(bx), std::abs(by)) == ring)
          lookAtBlock(search, system, static_cast<int>(wrapped(cx + 3 * bx, m)),
                      static_cast<int>(wrapped(cy + 3 * by, m)));
  }
  return search.found();
}

}  // namespace cellscope
