#include "sim/modes/gcmc/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/exec/context.h"
#include "sim/layers/list.h"
#include "sim/layers/packer.h"

namespace cellscope::gcmc {
namespace {

constexpr std::uint64_t kMostEvents = 20000;
constexpr float kDiameter = 1;

PointInstance pointAt(const Box& box, GcmcPoint p, float value) {
  const Vec3d r = gcmcPosition(box, p);
  return {static_cast<float>(r.x),
          static_cast<float>(r.y),
          static_cast<float>(r.z),
          kDiameter,
          value,
          0,
          0};
}

// Energy of every particle with all others: half of the sum of these is the total.
std::vector<double> energies(const GcmcEngine& engine, const GcmcState& state,
                             const GcmcRules& rules) {
  std::vector<double> all = engine.energiesAt(state.point);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] -= gcmcPairAt(rules.pair, state.point[i], state.point[i]);
  return all;
}

std::uint64_t neighbours(const GcmcState& state, const GcmcRules& rules, std::size_t slot) {
  std::uint64_t count = 0;
  for (const GcmcPoint& p : state.point)
    count += gcmcDistance2(rules.pair, p, state.point[slot]) < rules.pair.cutoffSquared;
  return count - (rules.pair.cutoffSquared > 0 ? 1 : 0);
}

}  // namespace

struct GcmcScene::HostPacker {
  std::unique_ptr<layers::Packer> packer = layers::makePacker(exec::makeExec({Backend::cpu, 1, 0}));
};

GcmcScene::GcmcScene() : packer_(std::make_unique<HostPacker>()) {}
GcmcScene::~GcmcScene() = default;

void GcmcScene::forget() {
  events_.clear();
  followed_ = -1;
  end_ = {};
}

std::size_t GcmcScene::bytes() const { return packer_->packer->bytes(); }

void GcmcScene::watch(const ViewRequest& view, const GcmcState& state) {
  const bool wanted =
      std::find(view.layers.begin(), view.layers.end(), layers::kMoves) != view.layers.end();
  recording_ = view.still && wanted;
  if (!recording_) events_.clear();
  const bool there = std::find(state.id.begin(), state.id.end(), view.picked) != state.id.end();
  followed_ = there ? view.picked : -1;
}

void GcmcScene::beforeStep(GcmcEngine& engine, std::uint64_t moves) {
  const bool on = recording_ || followed_ >= 0;
  if (!on && !recorded_) return;
  engine.record(on ? static_cast<std::size_t>(followed_ >= 0 ? moves : std::min(moves, kMostEvents))
                   : 0);
  recorded_ = on;
}

void GcmcScene::afterStep(const GcmcEngine& engine, std::uint64_t step) {
  events_.clear();
  if (!recorded_) return;
  std::vector<GcmcEvent> all = engine.events();
  for (const GcmcEvent& e : all)
    if (e.accepted && e.kind == GcmcKind::deletion && e.id == followed_ && followed_ >= 0) {
      end_ = {e.id, {step, fmt::format("by a trial deletion, move {}", e.move)}, e.before};
      followed_ = -1;
    }
  if (recording_)
    events_.assign(all.size() > kMostEvents ? all.end() - kMostEvents : all.begin(), all.end());
}

LayerData GcmcScene::particles(const std::string& colouring, const GcmcEngine& engine,
                               const GcmcState& state, const GcmcRules& rules) const {
  std::vector<double> energy;
  ColourScale scale = layers::categories("particles", {"from the start", "inserted"});
  if (colouring == "energy") {
    energy = energies(engine, state, rules);
    const double rho = static_cast<double>(state.point.size()) / state.box.volume();
    // In steps, so that colours do not flicker with the density.
    const double mean =
        2 * std::round((state.box.dimension == 3 ? -6.75 : -3.25) * std::min(rho, 1.0));
    scale = layers::sequential("energy with all others", "epsilon", static_cast<float>(mean - 5),
                               static_cast<float>(std::min(mean + 5, 0.5)));
  } else if (colouring == "plain") {
    scale = layers::plainScale("Particles");
  }
  std::vector<PointInstance> points;
  points.reserve(state.point.size());
  for (std::size_t i = 0; i < state.point.size(); ++i) {
    const float origin = state.id[i] >= state.idBase ? 1.0f : 0.0f;
    const float value = !energy.empty()        ? static_cast<float>(energy[i])
                        : colouring == "plain" ? 0.0f
                                               : origin;
    points.push_back(pointAt(state.box, state.point[i], value));
  }
  return layerOf(layers::kParticles, Primitive::points, points, std::move(scale));
}

std::optional<layers::CellGridView> GcmcScene::cells(const GcmcEngine& engine,
                                                     const GcmcState& state) {
  const GcmcCellsView view = engine.cells();
  if (view.count[0] == 0) return std::nullopt;
  layers::CellGridView grid;
  grid.dimension = state.box.dimension;
  std::uint32_t side[3];
  for (int k = 0; k < 3; ++k) {
    grid.cells[k] = view.count[k];
    side[k] = static_cast<std::uint32_t>(view.count[k]);
    grid.length[k] = state.box.length[k];
    grid.width[k] = state.box.length[k] / view.count[k];
  }
  first_.assign(std::size_t{side[0]} * side[1] * side[2] + 1, 0);
  for (const GcmcPoint& p : state.point)
    ++first_[(gcmcCell(p.z, side[2]) * side[1] + gcmcCell(p.y, side[1])) * side[0] +
             gcmcCell(p.x, side[0]) + 1];
  grid.most =
      static_cast<std::int32_t>(std::max(1u, *std::max_element(first_.begin(), first_.end())));
  for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
  grid.first = first_.data();
  return grid;
}

layers::MovesView GcmcScene::moves(const Box& box) const {
  using Part = layers::GcmcMovePart;
  layers::MovesView view;
  for (const GcmcEvent& e : events_) {
    if (e.id < 0) continue;
    const Part part = !e.accepted                     ? Part::rejected
                      : e.kind == GcmcKind::insertion ? Part::inserted
                      : e.kind == GcmcKind::deletion  ? Part::deleted
                                                      : Part::moved;
    const auto value = static_cast<float>(part);
    const PointInstance at = pointAt(box, e.after, value);
    view.marks.push_back(at);
    if (e.kind != GcmcKind::displacement || !e.accepted) continue;
    const Vec3d a = gcmcPosition(box, e.before), b = gcmcPosition(box, e.after);
    const Vec3d d = box.minimumImage({b.x - a.x, b.y - a.y, b.z - a.z});
    view.paths.push_back({{at.x - static_cast<float>(d.x), at.y - static_cast<float>(d.y),
                           at.z - static_cast<float>(d.z)},
                          {at.x, at.y, at.z},
                          value,
                          0,
                          0});
  }
  return view;
}

PickedParticle GcmcScene::card(std::size_t slot, const GcmcEngine& engine, const GcmcState& state,
                               const GcmcRules& rules) const {
  const Vec3d r = gcmcPosition(state.box, state.point[slot]);
  const double energy = engine.energiesAt({state.point[slot]})[0] -
                        gcmcPairAt(rules.pair, state.point[slot], state.point[slot]);
  PickedParticle p;
  p.id = state.id[slot];
  p.position[0] = static_cast<float>(r.x);
  p.position[1] = static_cast<float>(r.y);
  p.position[2] = static_cast<float>(r.z);
  const bool inserted = p.id >= state.idBase;
  p.rows = {{"position", fmt::format("({:.4f}, {:.4f}, {:.4f}) sigma", r.x, r.y, r.z)},
            {"energy with all others", fmt::format("{:.5f} epsilon", energy)},
            {"neighbours", fmt::format("{} within {:g} sigma", neighbours(state, rules, slot),
                                       std::sqrt(rules.pair.cutoffSquared))},
            {"slot", fmt::format("{} of {}", slot, state.point.size())},
            {"came", inserted ? fmt::format("inserted by move {}", p.id - state.idBase)
                              : "there from the start"}};
  return p;
}

void GcmcScene::fill(Frame& frame, const ViewRequest& view, const GcmcEngine& engine,
                     const GcmcState& state, const GcmcRules& rules) {
  const layers::LayerList shown = layers::shown(layers::gcmcLayers(), view.layers);
  const auto needed = [&](layers::Need need) {
    return (layers::needsOf(shown) & layers::bit(need)) != 0;
  };
  layers::Structures s;
  s.box = state.box;
  if (needed(layers::Need::particles)) s.packed = particles(view.colouring, engine, state, rules);
  if (needed(layers::Need::cells)) s.cells = cells(engine, state);
  if (needed(layers::Need::moves)) s.moves = moves(state.box);
  const auto found = std::find(state.id.begin(), state.id.end(), view.picked);
  if (found != state.id.end()) {
    const auto slot = static_cast<std::size_t>(found - state.id.begin());
    frame.picked = card(slot, engine, state, rules);
    const auto part = static_cast<float>(layers::TestedPart::picked);
    s.picked = {pointAt(state.box, state.point[slot], part)};
    s.picked[0].diameter = kDiameter;
  } else if (view.picked >= 0 && view.picked == end_.id) {
    const Vec3d r = gcmcPosition(state.box, end_.at);
    frame.picked.id = end_.id;
    frame.picked.position[0] = static_cast<float>(r.x);
    frame.picked.position[1] = static_cast<float>(r.y);
    frame.picked.position[2] = static_cast<float>(r.z);
    frame.picked.deleted = end_.deletion;
  }
  layers::Canvas canvas{packer_->packer.get(), frame};
  layers::drawAll(shown, s, canvas);
}

}  // namespace cellscope::gcmc
