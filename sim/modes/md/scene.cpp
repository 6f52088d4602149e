// What is drawn, picked and explained.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"
#include "sim/modes/md/mode.h"

namespace cellscope {
namespace {

constexpr double kRadius = 0.5;         // of a particle, in sigma
constexpr double kVelocityScale = 0.5;  // length drawn per unit of speed

bool wants(const ViewRequest& view, const char* key) {
  return std::find(view.layers.begin(), view.layers.end(), key) != view.layers.end();
}

Vec3d toNearestImage(Vec3d from, Vec3d to, double length) {
  return {minimumImage(to.x - from.x, length), minimumImage(to.y - from.y, length),
          minimumImage(to.z - from.z, length)};
}
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Vectors from particle i to all others within the cutoff.
std::vector<Vec3d> neighboursOf(const MdState& s, std::size_t i, double cutoff) {
  std::vector<Vec3d> all;
  for (std::size_t j = 0; j < s.position.size(); ++j) {
    const Vec3d d = toNearestImage(s.position[i], s.position[j], s.length);
    if (j != i && dot(d, d) < cutoff * cutoff) all.push_back(d);
  }
  return all;
}

std::string vectorText(Vec3d v) { return fmt::format("({:.4f}, {:.4f}, {:.4f})", v.x, v.y, v.z); }

LayerData boxLayer(double length) {
  const auto l = static_cast<float>(length);
  LayerData layer =
      layerOf("box", Primitive::boxes, std::vector<BoxInstance>{{{0, 0, 0}, {l, l, l}, 0, 0}}, {});
  layer.scale.title = "Box";
  layer.scale.marks = {Mark::outline};
  return layer;
}

}  // namespace

LayerData MdMode::particleLayer(const std::string& colouring) {
  LayerData layer{"particles", Primitive::points, particleCount(), nullptr, {}};
  ColourScale& scale = layer.scale;
  MdColour colour = MdColour::speed;
  const auto fastest = static_cast<float>(3.0 * std::sqrt(active_.temperature));
  scale = {ColourKind::sequential, "speed", "sigma/tau", 0.0f, fastest};
  if (colouring == "energy") {
    colour = MdColour::energy;
    // The mean energy is about -5.5 epsilon times the density; the liquid's particles scatter by
    // one epsilon about it.
    const auto mean = static_cast<float>(-5.5 * active_.density);
    const float lo = mean - 2.5f, hi = std::min(0.0f, mean + 2.5f);
    scale = {ColourKind::sequential, "potential energy", "epsilon", lo, hi};
  } else if (colouring == "tile") {
    colour = MdColour::tile;
    const auto tiles = static_cast<float>((active_.n - 1) / active_.pair().tile);
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
                 static_cast<float>(3.0 * std::sqrt(active_.temperature))};
  layer.scale.marks = {Mark::arrow};
  return layer;
}

LayerData MdMode::neighbourLayer(const MdState& state, std::size_t i) const {
  const Vec3d r = state.position[i];
  std::vector<LineInstance> lines;
  for (const Vec3d& d : neighboursOf(state, i, active_.cutoff))
    lines.push_back({{static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)},
                     {static_cast<float>(r.x + d.x), static_cast<float>(r.y + d.y),
                      static_cast<float>(r.z + d.z)},
                     static_cast<float>(std::sqrt(dot(d, d))),
                     0});
  LayerData layer = layerOf("neighbours", Primitive::lines, lines, {});
  layer.scale = {ColourKind::sequential, "distance", "sigma", 0.8f,
                 static_cast<float>(active_.cutoff)};
  return layer;
}

PickedParticle MdMode::card(const MdState& state, std::size_t i) const {
  const Vec3d r = state.position[i], v = state.velocity[i];
  const PairSums s = engine_->pairSums()[i];
  const Vec3d f{s.fx, s.fy, s.fz};
  PickedParticle p;
  p.id = static_cast<std::int64_t>(i);
  p.position[0] = static_cast<float>(r.x);
  p.position[1] = static_cast<float>(r.y);
  p.position[2] = static_cast<float>(r.z);
  p.rows = {
      {"position", vectorText(r) + " sigma"},
      {"velocity", vectorText(v) + " sigma/tau"},
      {"speed", fmt::format("{:.4f} sigma/tau", std::sqrt(dot(v, v)))},
      {"potential energy", fmt::format("{:.5f} epsilon", s.energy)},
      {"force", vectorText(f) + " epsilon/sigma"},
      {"modulus of the force", fmt::format("{:.4f} epsilon/sigma", std::sqrt(dot(f, f)))},
      {"neighbours", fmt::format("{} within {:g} sigma",
                                 neighboursOf(state, i, active_.cutoff).size(), active_.cutoff)}};
  return p;
}

std::shared_ptr<const Frame> MdMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step_;
  frame->phase = phase_ - 1;
  frame->box = {3, {length_, length_, length_}};
  const bool picked = view.picked >= 0 && view.picked < active_.n;
  MdState state;
  if (picked) state = engine_->download();
  const auto i = static_cast<std::size_t>(std::max<std::int64_t>(view.picked, 0));
  sayingWhatFits([&] { return memoryOfRun(); },
                 [&] {
                   if (wants(view, "particles"))
                     frame->layers.push_back(particleLayer(view.colouring));
                   if (wants(view, "velocities")) frame->layers.push_back(velocityLayer());
                 });
  if (wants(view, "neighbours"))
    frame->layers.push_back(
        picked ? neighbourLayer(state, i)
               : layerOf("neighbours", Primitive::lines, std::vector<LineInstance>{}, {}));
  if (wants(view, "box")) frame->layers.push_back(boxLayer(length_));
  if (picked) {
    frame->picked = card(state, i);
    const float* at = frame->picked.position;
    const auto part = static_cast<float>(layers::TestedPart::picked);
    frame->layers.push_back(
        layers::pickedRings({{at[0], at[1], at[2], 2 * static_cast<float>(kRadius), part, 0}},
                            layers::pickedScale("picked particle")));
  }
  frame->checks = quickChecks();
  return frame;
}

// The sphere that the ray meets first; if it meets none, the one that it passes nearest to.
std::int64_t MdMode::pick(const PickQuery& query) {
  const Vec3d o{query.origin[0], query.origin[1], query.origin[2]};
  const Vec3d along{query.direction[0], query.direction[1], query.direction[2]};
  const double modulus = std::sqrt(dot(along, along));
  if (!(modulus > 0)) return -1;
  const Vec3d u{along.x / modulus, along.y / modulus, along.z / modulus};
  const MdState state = engine_->download();
  std::int64_t best = -1;
  std::int64_t beside = -1;
  double nearest = std::numeric_limits<double>::infinity();
  double gap2 = (kRadius + query.reach) * (kRadius + query.reach);
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    const Vec3d r = state.position[i];
    const Vec3d d{r.x - o.x, r.y - o.y, r.z - o.z};
    const double t = dot(d, u), aside2 = dot(d, d) - t * t;
    if (aside2 > kRadius * kRadius) {
      if (t > 0 && aside2 < gap2) gap2 = aside2, beside = static_cast<std::int64_t>(i);
      continue;
    }
    const double entry = t - std::sqrt(kRadius * kRadius - aside2);
    if (entry < 0 || entry >= nearest) continue;
    nearest = entry;
    best = static_cast<std::int64_t>(i);
  }
  return best >= 0 ? best : beside;
}

}  // namespace cellscope
