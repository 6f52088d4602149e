// What is drawn, picked and explained.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"
#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/pick_search.h"

namespace cellscope {
namespace {

constexpr double kRadius = 0.5;         // of a particle, in sigma
constexpr double kVelocityScale = 0.5;  // length drawn per unit of speed

Vec3d toNearestImage(Vec3d from, Vec3d to, const Box& box) {
  return box.minimumImage({to.x - from.x, to.y - from.y, to.z - from.z});
}
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Vectors from particle i to all others within the cutoff.
std::vector<Vec3d> neighboursOf(const MdState& s, std::size_t i, double cutoff) {
  std::vector<Vec3d> all;
  for (std::size_t j = 0; j < s.position.size(); ++j) {
    const Vec3d d = toNearestImage(s.position[i], s.position[j], s.box);
    if (j != i && dot(d, d) < cutoff * cutoff) all.push_back(d);
  }
  return all;
}

std::string vectorText(Vec3d v) { return fmt::format("({:.4f}, {:.4f}, {:.4f})", v.x, v.y, v.z); }

}  // namespace

LayerData MdMode::particleLayer(const std::string& colouring) {
  LayerData layer{"particles", Primitive::points, particleCount(), nullptr, {}};
  ColourScale& scale = layer.scale;
  MdColour colour = MdColour::speed;
  const auto fastest = static_cast<float>(3.0 * std::sqrt(active().temperature));
  scale = {ColourKind::sequential, "speed", "sigma/tau", 0.0f, fastest};
  if (colouring == "energy") {
    colour = MdColour::energy;
    // The mean energy is about -5.5 epsilon times the density; the liquid's particles scatter by
    // one epsilon about it.
    const auto mean = static_cast<float>(-5.5 * active().density);
    const float lo = mean - 2.5f, hi = std::min(0.0f, mean + 2.5f);
    scale = {ColourKind::sequential, "potential energy", "epsilon", lo, hi};
  } else if (colouring == "tile") {
    colour = MdColour::tile;
    const auto tiles = static_cast<float>((active().n - 1) / active().pair().tile);
    scale = {ColourKind::sequential, "tile (block)", "", 0.0f, std::max(tiles, 1.0f)};
  } else if (colouring == "plain") {
    colour = MdColour::plain;
    scale = {ColourKind::plain, "Particles", "", 0.0f, 1.0f};
  }
  layer.buffer = engine_->points(colour);
  return layer;
}

LayerData MdMode::velocityLayer() {
  LayerData layer{
      "velocities", Primitive::lines, particleCount(), engine_->velocities(kVelocityScale), {}};
  layer.scale = {ColourKind::sequential, "speed", "sigma/tau", 0.0f,
                 static_cast<float>(3.0 * std::sqrt(active().temperature))};
  return layer;
}

LayerData MdMode::neighbourLayer(const MdState& state, std::size_t i) const {
  const Vec3d r = state.position[i];
  std::vector<LineInstance> lines;
  for (const Vec3d& d : neighboursOf(state, i, active().cutoff))
    lines.push_back({{static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)},
                     {static_cast<float>(r.x + d.x), static_cast<float>(r.y + d.y),
                      static_cast<float>(r.z + d.z)},
                     static_cast<float>(std::sqrt(dot(d, d))),
                     0});
  LayerData layer = layerOf("neighbours", Primitive::lines, lines, {});
  layer.scale = {ColourKind::sequential, "distance", "sigma", 0.8f,
                 static_cast<float>(active().cutoff)};
  return layer;
}

PickedParticle MdMode::card(const MdState& state, std::size_t i) const {
  const Vec3d r = state.position[i], v = state.velocity[i];
  const PairSums s = engine_->pairSums()[i];
  const Vec3d f{s.fx, s.fy, s.fz};
  PickedParticle p;
  p.id = ids_[i];
  p.position[0] = static_cast<float>(r.x);
  p.position[1] = static_cast<float>(r.y);
  p.position[2] = static_cast<float>(r.z);
  p.rows = {
      {"position", vectorText(r) + " sigma"},
      {"velocity", vectorText(v) + " sigma/tau"},
      {"speed", fmt::format("{:.4f} sigma/tau", std::sqrt(dot(v, v)))},
      {"potential energy", fmt::format("{:.5f} epsilon", s.energy)},
      {"force", vectorText(f) + " epsilon/sigma"},
      {"force magnitude", fmt::format("{:.4f} epsilon/sigma", std::sqrt(dot(f, f)))},
      {"neighbours", fmt::format("{} within {:g} sigma",
                                 neighboursOf(state, i, active().cutoff).size(), active().cutoff)}};
  return p;
}

std::shared_ptr<const Frame> MdMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = nextPhase() - 1;
  frame->box = box_;
  const std::optional<std::uint32_t> slot = slots_.find(view.picked);
  const bool picked = slot.has_value();
  MdState state;
  if (picked) state = engine_->download();
  const std::size_t i = slot.value_or(0);
  const layers::LayerList shown = layers::shown(layers::mdLayers(), view.layers);
  const auto needed = [&](layers::Need need) {
    return (layers::needsOf(shown) & layers::bit(need)) != 0;
  };
  layers::Structures s;
  s.box = box_;
  withHint([&] {
    if (needed(layers::Need::particles)) s.packed = particleLayer(view.colouring);
    if (needed(layers::Need::velocities)) s.velocities = velocityLayer();
  });
  if (picked) {
    if (needed(layers::Need::neighbours)) s.neighbours = neighbourLayer(state, i);
    frame->picked = card(state, i);
    const float* at = frame->picked.position;
    const auto part = static_cast<float>(layers::TestedPart::picked);
    s.picked = {{at[0], at[1], at[2], 2 * static_cast<float>(kRadius), part, 0}};
  }
  layers::Canvas canvas{nullptr, *frame};
  layers::drawAll(shown, s, canvas);
  frame->checks = quickChecks();
  return frame;
}

ParticleId MdMode::pick(const PickQuery& query) {
  PickSearch search(query, box_);
  const MdState state = engine_->download();
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    const Vec3d r = state.position[i];
    search.look(ids_[i], r.x, r.y, r.z, kRadius);
  }
  return search.found();
}

}  // namespace cellscope
