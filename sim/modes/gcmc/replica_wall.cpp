#include "sim/modes/gcmc/scene.h"

#include "sim/base/digits.h"
#include "sim/layers/list.h"
#include "sim/modes/points.h"

namespace cellscope::gcmc {
namespace {

constexpr double kMostShown = 400000;  // particles
constexpr double kDense = 0.9;
constexpr int kPickShift = 48;
constexpr ParticleId kItself = (ParticleId{1} << kPickShift) - 1;

BoxInstance tileAt(Vec3d corner, const ReplicaTiles& tiles) {
  const double* const side = tiles.one.length;
  return boxAt(corner, {side[0], side[1], tiles.one.dimension == 3 ? side[2] : 0});
}

// Of all tiles: frames with marks that leave particles their colours, and labels.
layers::Sketch framesOf(const ReplicaTiles& tiles, const std::vector<GcmcReplicaNow>& now,
                        const GcmcParameters& p) {
  layers::Sketch s;
  s.boxScale = layers::plainScale("Replicas", {Mark::outline});
  for (std::size_t t = 0; t < tiles.replica.size(); ++t) {
    const std::size_t k = tiles.replica[t];
    s.boxes.push_back(tileAt(tiles.corner(t), tiles));
    s.labels.push_back(
        labelOf(tiles.labelRoom(t), labelOfReplica(p, k, now[k].n, tiles.replica.size())));
  }
  return s;
}

// Where a click enters what is drawn of a box, along its ray; infinity: not at all.
double entryOf(const BoxInstance& box, const PickQuery& q, int dimension) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double from = q.from, to = q.to;
  for (int k = 0; k < dimension; ++k) {
    const double lo = double{box.lo[k]} - q.origin[k], hi = double{box.hi[k]} - q.origin[k];
    if (dimension == 2 || q.direction[k] == 0) {
      if (lo > 0 || hi < 0) return kNever;
      continue;
    }
    const double a = lo / q.direction[k], b = hi / q.direction[k];
    from = std::max(from, std::min(a, b)), to = std::min(to, std::max(a, b));
  }
  return from <= to ? from : kNever;
}

using Rows = std::vector<std::pair<std::string, std::string>>;

void addReplica(Rows& rows, std::size_t k, const ReplicaRun& replicas, const GcmcParameters& p) {
  const GcmcParameters own = parametersOf(p, k);
  const std::uint32_t n = replicas.chain(k).count();
  rows.push_back({"replica", fmt::format("{} of {}", k + 1, replicas.size())});
  if (kindOf(p) == ReplicaKind::window) {
    const ReplicaWindow w = windowOf(p, k);
    rows.push_back({"window of N", fmt::format("{} to {}", w.least, w.most)});
  } else {
    rows.push_back({"chemical potential", fmt::format("{:.6g} epsilon", own.mu)});
  }
  rows.push_back({"temperature", fmt::format("{:.4g} epsilon/k_B", own.temperature)});
  if (kindOf(p) == ReplicaKind::seed) rows.push_back({"seed", fmt::format("{}", own.seed)});
  rows.push_back({"N", fmt::format("{}", n)});
  rows.push_back({"density now", fmt::format("{} sigma^-{}", significant(n / p.box().volume(), 3),
                                             p.dimensions())});
  if (const auto mean = replicas.meanDensity(p, k))
    rows.push_back({mean->settled || kindOf(p) == ReplicaKind::window
                        ? "mean density"
                        : "mean density, equilibrating",
                    textWithError(mean->value, mean->error)});
}

// Fills the card, and returns the mark of a picked particle. A particle that is gone leaves the
// card of its replica.
std::vector<PointInstance> cardOfReplica(PickedParticle& card, const ReplicaPick& pick,
                                         const ReplicaRun& replicas, const GcmcParameters& p,
                                         Vec3d corner) {
  card.id = pick.id();
  const Box box = p.box();
  card.place({corner.x + 0.5 * box.length[0], corner.y + 0.5 * box.length[1],
              box.dimension == 3 ? corner.z + 0.5 * box.length[2] : 0});
  card.rows = {{"", fmt::format("Replica {}", pick.replica + 1)}};
  addReplica(card.rows, pick.replica, replicas, p);
  if (pick.own < 0) return {};
  const GcmcState s = replicas.chain(pick.replica).state();
  const auto slot = s.slotOf(pick.own);
  if (!slot) {
    card.rows.push_back({"picked particle", fmt::format("{}, deleted since", pick.own)});
    return {};
  }
  const Vec3d r = gcmcPosition(s.box, s.point[*slot]);
  card.place(corner + r);
  card.rows.front().second = fmt::format("Particle {} of replica {}", pick.own, pick.replica + 1);
  card.rows.push_back({"position", placeText(r, s.box.dimension) + " sigma"});
  card.rows.push_back(slotRow(s, *slot));
  card.rows.push_back(originRow(s, pick.own));
  return {{card.position[0], card.position[1], card.position[2], 1,
           static_cast<float>(layers::TestedPart::picked), 0, 0}};
}

}  // namespace

ReplicaTiles ReplicaTiles::of(const GcmcParameters& p) {
  ReplicaTiles t;
  const std::size_t all =
      kindOf(p) == ReplicaKind::window ? windowsOf(p) : static_cast<std::size_t>(p.replicas);
  const double fullest = kindOf(p) == ReplicaKind::window ? static_cast<double>(p.replicaMost)
                                                          : kDense * p.box().volume();
  const double most = std::clamp(kMostShown / std::max(1.0, fullest), 1.0, double{kMostTiles});
  const std::size_t count = std::min(all, static_cast<std::size_t>(most));
  for (std::size_t k = 0; k < count; ++k)
    t.replica.push_back(count > 1 ? k * (all - 1) / (count - 1) : 0);
  t.columns = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count)))));
  t.rows = std::max<std::size_t>(1, (count + t.columns - 1) / t.columns);
  t.one = p.box();
  // Room for a label, and for particles that stick out of their box; in perspective for depth.
  t.gap = std::max(1.7, (t.one.dimension == 3 ? 0.4 : 0.2) * p.length);
  return t;
}

// Tiles stand side by side along x, in space along y, and upon each other along the next axis.
Box ReplicaTiles::box() const {
  const int across = one.dimension - 2;
  Box b = one;
  b.length[across] = static_cast<double>(columns) * (one.length[across] + gap);
  b.length[across + 1] = static_cast<double>(rows) * (one.length[across + 1] + gap);
  return b;
}

Vec3d ReplicaTiles::corner(std::size_t tile) const {
  const int across = one.dimension - 2;
  const auto at = [&](std::size_t k, int axis, double margin) {
    return static_cast<double>(k) * (one.length[axis] + gap) + margin * gap;
  };
  const double a = at(tile % columns, across, 0.5);
  const double b = at(rows - 1 - tile / columns, across + 1, 0.3);
  if (one.dimension == 3) return {0, a, b};
  return {a, b, 0};
}

// Higher than the gap, as labels keep their size where a wall is small: in space they stand in its
// middle, in the plane at its upper left corner.
BoxInstance ReplicaTiles::labelRoom(std::size_t tile) const {
  const bool space = one.dimension == 3;
  const int across = one.dimension - 2, up = across + 1;
  BoxInstance room = tileAt(corner(tile), *this);
  const auto step = static_cast<float>(gap), top = room.hi[up];
  if (space) room.lo[0] = room.hi[0] = 0.5f * (room.lo[0] + room.hi[0]);
  if (space) room.lo[across] -= 0.5f * step;
  room.hi[across] += (space ? 0.5f : 1.0f) * step;
  room.lo[up] = top - 0.5f * step;
  room.hi[up] = top + (space ? 1.5f : 1.0f) * step;
  return room;
}

LayerData ReplicaWall::particles(const std::string& colouring, const ReplicaTiles& tiles,
                                 const ReplicaRun& replicas, const GcmcParameters& p) {
  DrawnChains drawn{{}, tiles.one, {}};
  drawn.look.dimension = tiles.one.dimension;
  drawn.look.manyChains = true, drawn.look.mixed = p.mixed();
  for (std::size_t t = 0; t < tiles.replica.size(); ++t) {
    const std::size_t k = tiles.replica[t];
    drawn.chains.push_back({replicas.chain(k), nullptr, replicas.rules(p, k), tiles.corner(t)});
  }
  if (p.mixed()) drawn.diameterB = static_cast<float>(p.sigmaB);
  return packer_.particles(drawn, colouring);
}

void ReplicaWall::fill(Frame& frame, const ViewRequest& view, const ReplicaRun& replicas,
                       const GcmcParameters& p) {
  const ReplicaTiles tiles = ReplicaTiles::of(p);
  const std::vector<GcmcReplicaNow> now = replicas.now();
  frame.box = tiles.box();
  layers::Structures s;
  s.box = frame.box;
  s.replicas = framesOf(tiles, now, p);
  layers::LayerList drawn;
  layers::Canvas canvas{packer_.packer(), frame};
  for (const layers::Layer* layer : layers::shown(layers::gcmcLayers(), view.layers)) {
    const std::string& key = layer->info().key;
    if (key == layers::kParticles || key == layers::kReplicas)
      drawn.push_back(layer);
    else
      canvas.add(layers::nothing(layer->info(),
                                 "all replicas are shown: switch that layer off to see the chain"));
    if (key == layers::kParticles) s.packed = particles(view.colouring, tiles, replicas, p);
  }
  ReplicaPick pick;
  if (ReplicaPick::from(view.picked, pick) && pick.replica < replicas.size()) {
    const auto tile = std::find(tiles.replica.begin(), tiles.replica.end(), pick.replica);
    if (tile != tiles.replica.end())
      s.picked =
          cardOfReplica(frame.picked, pick, replicas, p,
                        tiles.corner(static_cast<std::size_t>(tile - tiles.replica.begin())));
  }
  layers::drawAll(drawn, s, canvas);
  frame.checks.push_back(
      {"boxes shown", true,
       fmt::format("{} of {} replicas{}", tiles.replica.size(), replicas.size(),
                   tiles.replica.size() < replicas.size() ? ", evenly along their range" : "")});
}

ParticleId ReplicaPick::id() const {
  return (static_cast<ParticleId>(replica + 1) << kPickShift) | (own < 0 ? kItself : own);
}

bool ReplicaPick::from(ParticleId id, ReplicaPick& pick) {
  if (id < ParticleId{1} << kPickShift) return false;
  pick.replica = static_cast<std::size_t>(id >> kPickShift) - 1;
  pick.own = id & kItself;
  if (pick.own == kItself) pick.own = -1;
  return true;
}

ParticleId ReplicaWall::pick(const PickQuery& query, const ReplicaRun& replicas,
                             const GcmcParameters& p) {
  const ReplicaTiles tiles = ReplicaTiles::of(p);
  PickQuery exactly = query;
  exactly.reach = 0;  // beside particles lies their box
  PickSearch search(exactly, tiles.box());
  ParticleId box = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < tiles.replica.size(); ++t) {
    const Vec3d c = tiles.corner(t);
    const double entry = entryOf(tileAt(c, tiles), query, tiles.one.dimension);
    if (entry < nearest) nearest = entry, box = ReplicaPick{tiles.replica[t]}.id();
    const GcmcState s = replicas.chain(tiles.replica[t]).state();
    for (std::size_t i = 0; i < s.point.size(); ++i) {
      const ReplicaPick pick{tiles.replica[t], s.id[i]};
      if (pick.own < kItself) search.look(pick.id(), c + gcmcPosition(s.box, s.point[i]), 0.5);
    }
  }
  return search.found() >= 0 ? search.found() : box;
}

std::string labelOfReplica(const GcmcParameters& p, std::size_t k, std::uint32_t n,
                           std::size_t boxes) {
  const ReplicaKind kind = kindOf(p);
  if (kind == ReplicaKind::potential) return fmt::format("mu {:.2f}\nN {}", placeOf(p, k), n);
  if (kind == ReplicaKind::temperature) return fmt::format("T {:.2f}\nN {}", placeOf(p, k), n);
  if (kind == ReplicaKind::seed) return fmt::format("seed {}\nN {}", parametersOf(p, k).seed, n);
  if (boxes > 9) return fmt::format("N {}", n);
  return fmt::format("{}..{}\nN {}", windowOf(p, k).least, windowOf(p, k).most, n);
}

}  // namespace cellscope::gcmc
