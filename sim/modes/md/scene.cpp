// What is drawn, picked and explained.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/algo/all_pairs/images.h"
#include "sim/algo/verlet/pair_law.h"
#include "sim/base/digits.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"
#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/pick_search.h"

namespace cellscope {
namespace {

constexpr double kVelocityScale = 0.5;  // length drawn per unit of speed

Vec3d toNearestImage(Vec3d from, Vec3d to, const Box& box) {
  return box.minimumImage({to.x - from.x, to.y - from.y, to.z - from.z});
}
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Vectors from particle i to all others to which it has a force, and to those of their images, and
// of its own, to which it has one: as far as the law of the two types reaches.
std::vector<Vec3d> neighboursOf(const MdState& s, std::size_t i, const PairSettings& pair) {
  const auto typeOf = [&](std::size_t k) { return s.type.empty() ? 0 : int{s.type[k]}; };
  double ends[kMostTypes] = {};
  for (int t = 0; t < pair.species.types; ++t)
    ends[t] = pairCutoff(pair.potential, pair.species, typeOf(i), t);
  const double* const l = s.box.length;
  std::vector<Vec3d> all;
  for (std::size_t j = 0; j < s.position.size(); ++j) {
    const double cutoff = ends[typeOf(j)];
    const PairImages images = PairImages::within(cutoff, s.box);
    const Vec3d d = toNearestImage(s.position[i], s.position[j], s.box);
    images.forEach(d.x, d.y, d.z, l[0], l[1], l[2], j == i, [&](double x, double y, double z) {
      const Vec3d to{x, y, z};
      if (dot(to, to) < cutoff * cutoff) all.push_back(to);
    });
  }
  return all;
}

}  // namespace

layers::MdColourState MdMode::colourState() const {
  using Lists = layers::MdColourState::Lists;
  layers::MdColourState s;
  s.n = active().n;
  s.dimension = box_.dimension;
  s.temperature = active().temperature, s.density = active().in(box_).density;
  s.cutoff = pairCutoff(active().law(), active().species(), 0, 0), s.buffer = active().buffer;
  s.tile = active().pair().tile;
  s.types = types_.names;
  Lent lent;
  engine_->lend(lent, false);
  if (const auto* const cells = lent.find<CellsLent>()) s.cells = cells->shape.grid.count();
  if (active().lists() && active().clusters())
    s.lists = Lists::unused;  // a cluster's list says nothing of one particle
  else if (const auto* const lists = lent.find<ListsLent>())
    s.lists = lists->partsDone < 0 ? Lists::complete : Lists::beingBuilt;
  else if (active().lists())
    s.lists = Lists::due;
  return s;
}

// Of methods that have no lists.
const std::uint32_t* MdMode::countNear(const ParticlesLent& lent) {
  if (!near_) near_ = makeNearCounter(exec_);
  const PairSettings pair = active().pair();
  return near_->count(lent.position, lent.record, lent.n, box_,
                      pairTable(pair.potential, pair.species, 0));
}

LayerData MdMode::particleLayer(const std::string& colouring) {
  layers::ChosenColouring chosen = layers::MdColourings::choose(colouring, colourState());
  const bool energies = (chosen.needs & layers::kMdEnergies) != 0;
  layers::PackMdParticles pack{engine_->lendParticles(energies), chosen.index};
  if (chosen.needs & layers::kMdNeighbours && !pack.from.listed)
    pack.from.listed = countNear(pack.from);
  return {layers::kParticles, Primitive::points, particleCount(), scene_.packer().pack(pack).buffer,
          std::move(chosen.scale)};
}

LayerData MdMode::velocityLayer() {
  const layers::PackMdArrows pack{engine_->lendParticles(false), kVelocityScale};
  return {layers::kVelocities, Primitive::lines, particleCount(), scene_.packer().pack(pack).buffer,
          layers::speedScale(active().temperature)};
}

LayerData MdMode::neighbourLayer(const MdState& state, std::size_t i) const {
  const Vec3d r = state.position[i];
  std::vector<LineInstance> lines;
  for (const Vec3d& d : neighboursOf(state, i, active().pair()))
    lines.push_back({{static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)},
                     {static_cast<float>(r.x + d.x), static_cast<float>(r.y + d.y),
                      static_cast<float>(r.z + d.z)},
                     static_cast<float>(std::sqrt(dot(d, d))),
                     0});
  LayerData layer = layerOf("neighbours", Primitive::lines, lines, {});
  layer.scale = {ColourKind::sequential, "distance", "sigma", 0.8f,
                 static_cast<float>(active().largestCutoff())};
  return layer;
}

// Where and how fast it is, and what pulls at it: half of the energies of its pairs.
PickedParticle MdMode::card(ParticleId id, Vec3d r, Vec3d v, std::optional<double> energy,
                            std::optional<Vec3d> force, const std::string& neighbours) const {
  PickedParticle p;
  p.id = id;
  p.position[0] = static_cast<float>(r.x);
  p.position[1] = static_cast<float>(r.y);
  p.position[2] = static_cast<float>(r.z);
  constexpr int kDigits = 4;
  const int d = box_.dimension;
  p.rows = {{"position", placeText(r, d) + " sigma"},
            {"velocity", vectorText(v, d, kDigits) + " sigma/tau"},
            {"speed", significant(std::sqrt(dot(v, v)), kDigits) + " sigma/tau"},
            {"potential energy",
             energy ? significant(*energy, kDigits) + " epsilon" : "comes with the list"},
            {"force",
             force ? vectorText(*force, d, kDigits) + " epsilon/sigma" : "comes with the forces"},
            {"force magnitude",
             force ? significant(std::sqrt(dot(*force, *force)), kDigits) + " epsilon/sigma"
                   : "comes with the forces"},
            {"neighbours", neighbours}};
  return p;
}

// Of the particle with this number, without lists: all others are looked at.
PickedParticle MdMode::showPicked(std::size_t i, const ViewRequest& view, std::uint32_t needs,
                                  layers::Structures& s) {
  const MdState state = engine_->download();
  if (needs & layers::bit(layers::Need::neighbours)) s.neighbours = neighbourLayer(state, i);
  const PairSums sums = engine_->pairSums()[i];
  const PairSettings pair = active().pair();
  const std::size_t near = neighboursOf(state, i, pair).size();
  PickedParticle c = card(
      ids_[i], state.position[i], state.velocity[i], sums.energy, Vec3d{sums.fx, sums.fy, sums.fz},
      pair.species.types > 1 ? fmt::format("{} within the cutoffs of their types", near)
                             : fmt::format("{} within {:.4g} sigma", near,
                                           pairCutoff(pair.potential, pair.species, 0, 0)));
  if (active().species().types > 1)
    c.rows.insert(c.rows.begin(), {"type", types_.names.at(state.type[i])});
  if (!active().placeholders()) return c;
  showCells(state, i, needs, s, c);
  scene_.countChecks(state, step(), static_cast<std::uint32_t>(i), active().pair(), view.still);
  return c;
}

PickedParticle MdMode::cardOf(const md::PickedSlot& p, ParticleId id, const ListsLent& lent) const {
  std::optional<double> energy;
  if (p.terms) energy = p.terms->x;
  std::optional<Vec3d> force;
  if (p.force) force = Vec3d{p.force->x, p.force->y, p.force->z};
  const RecordBox box(box_);
  PickedParticle c =
      card(id, p.position, p.velocity, energy, force,
           lent.partsDone >= 0
               ? "the list is being built"
               : fmt::format("{} within the cutoff, {} in {}",
                             md::withinCutoff(p, lent, active().buffer), p.neighbours.size(),
                             lent.list.clustered() ? "the list of its cluster" : "its list"));
  if (active().species().types > 1)
    c.rows.insert(c.rows.begin(), {"type", types_.names.at(p.now.type)});
  c.rows.push_back({"moved since the list was built",
                    fmt::format("{} sigma of {:.4g} allowed",
                                significant(std::sqrt(box.distanceSquared(p.now, p.built)), 3),
                                0.5 * active().buffer)});
  c.rows.push_back({"place in memory", fmt::format("{} of {}", p.slot, active().n)});
  for (const auto& row : md::clusterRows(p, lent)) c.rows.push_back(row);
  for (const auto& row : scene_.walkRows()) c.rows.push_back(row);
  return c;
}

void MdMode::showLists(const ViewRequest& view, std::uint32_t needs, layers::Structures& s,
                       Frame& frame) {
  const std::optional<std::uint32_t> number = slots_.find(view.picked);
  engine_->lend(s, number.has_value());
  if (const auto* const lists = s.find<ListsLent>()) {
    const ListsLent& lent = *lists;
    if (number) engine_->failure();  // waits for what is read here
    std::optional<md::PickedSlot> picked;
    if (number) picked = scene_.find(lent, *number);
    scene_.fill(needs, lent, active().buffer, picked ? &*picked : nullptr, s);
    if (lent.input.cluster > 1)
      s.lend(md::pickedCluster(picked ? &*picked : nullptr, lent, active().species()));
    if (picked && lent.partsDone < 0)
      scene_.countChecks(lent, engine_->history(), *picked, *number, active().pair(), view.still);
    if (picked) frame.picked = cardOf(*picked, ids_[*number], lent);
  } else {
    s.noTrees = s.noWalk = s.noSearched = md::kNoLists;
    if (const auto* const cells = s.find<CellsLent>()) {
      s.cells = md::cellsOf(*cells, box_, particleCount());
      s.noSearched = "no particle is picked: click one";
    }
    if (number) frame.picked = showPicked(*number, view, needs, s);
  }
  if (!number) return;
  const float* at = frame.picked.position;
  const auto part = static_cast<float>(layers::TestedPart::picked);
  const int type = types_.of.empty() ? 0 : types_.of[*number];
  const auto diameter = static_cast<float>(active().species().diameter(type));
  s.picked = {{at[0], at[1], at[2], diameter, part, 0, 0}};
}

std::shared_ptr<const Frame> MdMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = listGoesOn_ ? nextPhase() : nextPhase() - 1;
  frame->box = box_;
  const layers::LayerList shown = layers::shown(layers::mdLayers(), view.layers);
  const std::uint32_t needs = layers::needsOf(shown);
  const auto needed = [&](layers::Need need) { return (needs & layers::bit(need)) != 0; };
  layers::Structures s;
  s.box = box_;
  s.looks = view.looks;
  withHint([&] {
    if (needed(layers::Need::particles)) s.packed = particleLayer(view.colouring);
    if (needed(layers::Need::velocities)) s.velocities = velocityLayer();
    showLists(view, needs, s, *frame);
    layers::Canvas canvas{&scene_.packer(), *frame};
    layers::drawAll(shown, s, canvas);
  });
  frame->checks = quickChecks();
  return frame;
}

ParticleId MdMode::pick(const PickQuery& query) {
  PickSearch search(query, box_);
  const MdState state = engine_->download();
  const SpeciesTable species = active().species();
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    const int type = state.type.empty() ? 0 : state.type[i];
    search.look(ids_[i], state.position[i], 0.5 * species.diameter(type), type);
  }
  return search.found();
}

}  // namespace cellscope
