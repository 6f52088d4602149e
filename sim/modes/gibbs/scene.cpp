// The two boxes of the shown pair side by side, and what is told of a particle.
#include <fmt/format.h>

#include "sim/base/digits.h"
#include "sim/layers/list.h"
#include "sim/modes/gibbs/mode.h"
#include "sim/modes/points.h"

namespace cellscope {
namespace {

// Between the boxes, sigma: in space seen from aside, when one hides a part of what is behind it.
double gapOf(int dimension) { return dimension == 3 ? 4 : 2; }
constexpr double kAbove = 0.6;  // from a box to its label, sigma

}  // namespace

// The same however the boxes breathe: as wide as both can be together, and as high as one can be.
// In the plane they stand along x, in space along y.
Box GibbsMode::picture() const {
  const P& p = active();
  const double d = p.dimensions(), v = p.volume();
  const double wide = 2 * std::pow(v / 2, 1 / d) + gapOf(p.dimensions()) + 1;
  const double high = std::pow(v - p.smallest(), 1 / d) + 1;
  if (p.dimensions() == 3) return {3, {high, wide, high}};
  return {2, {wide, high, 1}};
}

GibbsMode::Seen GibbsMode::seen() const {
  Seen s;
  s.state = pairs_->state(shown());
  const GibbsRules& r = pairs_->rules()[shown()];
  const Box box = picture();
  const int across = r.dimension - 2;
  for (int k = 0; k < 2; ++k)
    s.side[k] = gibbsSide(r.dimension, gibbsVolume(r, s.state.head.share, k));
  const double gap = gapOf(r.dimension);
  double left = (box.length[across] - s.side[0] - s.side[1] - gap) / 2;
  for (int k = 0; k < 2; ++k) {
    double at[3] = {};
    for (int axis = 0; axis < r.dimension; ++axis)
      at[axis] = axis == across ? left : (box.length[axis] - s.side[k]) / 2;
    s.corner[k] = {at[0], at[1], at[2]};
    left += s.side[k] + gap;
  }
  for (std::size_t i = 0; i < s.state.point.size(); ++i) {
    const int k = s.boxOf(i);
    const double unit = s.side[k] * kGibbsShare;
    const GcmcPoint q = s.state.point[i];
    s.at.push_back(
        {s.corner[k].x + q.x * unit, s.corner[k].y + q.y * unit, s.corner[k].z + q.z * unit});
  }
  return s;
}

std::optional<std::size_t> GibbsMode::Seen::slotOf(ParticleId id) const {
  const auto found = std::find(state.id.begin(), state.id.end(), id);
  if (found == state.id.end()) return std::nullopt;
  return static_cast<std::size_t>(found - state.id.begin());
}

std::vector<Neighbour> GibbsMode::neighboursOf(const Seen& s, std::size_t slot) const {
  std::vector<Neighbour> all;
  const int box = s.boxOf(slot);
  const GcmcPair law = gibbsBox(pairs_->rules()[shown()], s.state.head.share, box).law;
  for (std::size_t j = 0; j < s.at.size(); ++j) {
    const float r2 = gcmcDistance2(law, s.state.point[slot], s.state.point[j]);
    if (j == slot || s.boxOf(j) != box || !(r2 < law.cutoffSquared)) continue;
    all.push_back({static_cast<ParticleId>(s.state.id[j]), std::sqrt(r2), true, std::nullopt,
                   gcmcPairEnergy(law, r2)});
  }
  return all;
}
std::vector<Neighbour> GibbsMode::neighboursOf(ParticleId id) {
  const Seen s = seen();
  const auto slot = s.slotOf(id);
  return slot ? neighboursOf(s, *slot) : std::vector<Neighbour>{};
}

PickedParticle GibbsMode::cardOf(const Seen& s, std::size_t slot) const {
  const int box = s.boxOf(slot), dimension = active().dimensions();
  double energy = 0;
  const std::vector<Neighbour> near = neighboursOf(s, slot);
  for (const Neighbour& other : near) energy += *other.energy;
  const Vec3d at = s.at[slot], low = s.corner[box];
  PickedParticle card;
  card.id = s.state.id[slot];
  card.place(at);
  card.rows = {{"box", fmt::format("{} of pair {}, T = {:g}", box + 1, shown() + 1,
                                   active().temperatureOf(shown()))},
               {"began in box", card.id < static_cast<ParticleId>(active().firstN()) ? "1" : "2"},
               {"position in it", placeText(at - low, dimension) + " sigma"},
               {"energy with all others", significant(energy, 4) + " epsilon"},
               {"neighbours", fmt::format("{} within {:g} sigma", near.size(), active().cutoff)},
               {"slot", fmt::format("{} of {}", slot, s.at.size())}};
  return card;
}

std::shared_ptr<const Frame> GibbsMode::frame(const ViewRequest& view) {
  auto frame = std::make_shared<Frame>();
  frame->step = step();
  frame->phase = nextPhase() - 1;
  frame->box = picture();
  frame->outlined = false;
  const Seen s = seen();
  const int dimension = frame->box.dimension;
  layers::Structures from;
  from.box = frame->box;
  from.looks = view.looks;
  const bool plain = view.colouring == "plain", origin = view.colouring == "origin";
  const std::string which =  // of several pairs
      pairs_->size() > 1 ? fmt::format(" at T = {:.3g}", active().temperatureOf(shown())) : "";
  std::vector<PointInstance> points;
  for (std::size_t i = 0; i < s.at.size(); ++i)
    points.push_back(pointAt(s.at[i], plain    ? 0.0f
                                      : origin ? (s.state.id[i] < active().firstN() ? 0.0f : 1.0f)
                                               : static_cast<float>(s.boxOf(i))));
  from.packed =
      layerOf(layers::kParticles, points,
              plain ? layers::plainScale("particles")
                    : layers::categories("particles" + which + (origin ? " that began in" : " in"),
                                         {"box 1", "box 2"},
                                         {Mark::setC, Mark::setD}));  // no colours of its plots
  from.replicas.emplace();
  from.replicas->boxScale = layers::plainScale("Boxes", {Mark::outline});
  for (int k = 0; k < 2; ++k) {
    from.replicas->boxes.push_back(
        boxAt(s.corner[k], {s.side[k], s.side[k], dimension == 3 ? s.side[k] : 0}));
    const double n = s.state.head.count(pairs_->rules()[shown()], k);
    const double high = s.side[k] + kAbove;
    const Vec3d c = s.corner[k];
    const Vec3d at =
        dimension == 3 ? Vec3d{c.x + s.side[k], c.y, c.z + high} : Vec3d{c.x, c.y + high, 0};
    from.replicas->labels.push_back(labelOf(
        at, fmt::format("{}: N {}  rho {:.3f}", k + 1, n, n / std::pow(s.side[k], dimension))));
  }
  if (const auto slot = s.slotOf(view.picked)) {
    frame->picked = cardOf(s, *slot);
    from.picked = {pointAt(s.at[*slot], static_cast<float>(layers::TestedPart::picked))};
  }
  layers::Canvas canvas{nullptr, *frame};
  layers::drawAll(layers::shown(layers::gibbsLayers(), view.layers), from, canvas);
  frame->checks = quickChecks();
  return frame;
}

ParticleId GibbsMode::pick(const PickQuery& query) {
  const Seen s = seen();
  PickSearch search(query, picture());
  for (std::size_t i = 0; i < s.at.size(); ++i) search.look(s.state.id[i], s.at[i], 0.5);
  return search.found();
}

// As the picture shows it: particles of box 2 are the second species.
Configuration GibbsMode::configuration() const {
  const Seen s = seen();
  Configuration c;
  c.box = picture();
  c.species = {{"box_1", 1, 1}, {"box_2", 1, 1}};
  for (std::size_t i = 0; i < s.at.size(); ++i) {
    c.ids.push_back(s.state.id[i]);
    c.types.push_back(static_cast<std::uint32_t>(s.boxOf(i)));
    c.positions.insert(c.positions.end(), {s.at[i].x, s.at[i].y, s.at[i].z});
  }
  return c;
}

std::vector<double> GibbsMode::numbersOfAll() const {
  std::vector<double> all;
  for (const GibbsHead& h : pairs_->heads())
    all.insert(all.end(),
               {static_cast<double>(h.n1), static_cast<double>(h.share), h.energy[0], h.energy[1]});
  return all;
}

std::vector<std::optional<Vec3d>> GibbsMode::placesOf(const std::vector<ParticleId>& ids) {
  const Seen s = seen();
  return each(ids, [&](ParticleId id) {
    const auto slot = s.slotOf(id);
    return slot ? std::optional(s.at[*slot]) : std::nullopt;
  });
}

}  // namespace cellscope
