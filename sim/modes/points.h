// Places of particles: whether any is near a position, which ones a hand or a click means, where a
// hand puts new ones, and in which slot an id is stored.
#pragma once
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/base/box.h"
#include "sim/base/error.h"

namespace cellscope {

inline bool isFinite(Vec3d v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// By cells at least as wide as the distance that is asked about, at most so many along each axis.
class Points {
 public:
  Points(const Box& box, double reach, double mostCells = 512) : box_(box), reach_(reach) {
    std::size_t cells = 1;
    for (int a = 0; a < box.dimension; ++a) {
      const double most = std::min(mostCells, std::floor(box.length[a] / reach));
      side_[a] = std::max(1, static_cast<int>(most));
      cells *= static_cast<std::size_t>(side_[a]);
    }
    first_.assign(cells, -1);
  }
  void reserve(std::size_t n) { points_.reserve(n), next_.reserve(n); }
  void add(Vec3d r) {
    const std::size_t cell = index(cellOf(r.x, 0), cellOf(r.y, 1), cellOf(r.z, 2));
    next_.push_back(first_[cell]);
    first_[cell] = static_cast<std::int32_t>(points_.size());
    points_.push_back(r);
  }
  // The number of one that is nearer to r than the distance; none: there is none.
  std::optional<std::size_t> near(Vec3d r) const {
    const int at[3] = {cellOf(r.x, 0), cellOf(r.y, 1), cellOf(r.z, 2)};
    for (int z = from(2); z <= to(2); ++z)
      for (int y = from(1); y <= to(1); ++y)
        for (int x = from(0); x <= to(0); ++x) {
          const std::size_t cell =
              index(wrapped(at[0] + x, 0), wrapped(at[1] + y, 1), wrapped(at[2] + z, 2));
          for (std::int32_t k = first_[cell]; k >= 0; k = next_[static_cast<std::size_t>(k)])
            if (within(r, points_[static_cast<std::size_t>(k)])) return static_cast<std::size_t>(k);
        }
    return std::nullopt;
  }
  bool anyWithin(Vec3d r) const { return near(r).has_value(); }
  const std::vector<Vec3d>& points() const { return points_; }

 private:
  // Offsets of neighbour cells, each once.
  int from(int a) const { return side_[a] >= 3 ? -1 : 0; }
  int to(int a) const { return side_[a] >= 3 ? 1 : side_[a] - 1; }
  int wrapped(int c, int a) const { return (c + side_[a]) % side_[a]; }
  int cellOf(double x, int a) const {
    if (a >= box_.dimension) return 0;
    return std::min(side_[a] - 1, static_cast<int>(x / box_.length[a] * side_[a]));
  }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(side_[1]) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(side_[0]) +
           static_cast<std::size_t>(x);
  }
  bool within(Vec3d a, Vec3d b) const {
    const Vec3d d = box_.minimumImage(a - b);
    return dot(d, d) < reach_ * reach_;
  }

  Box box_;
  double reach_;
  int side_[3] = {1, 1, 1};
  std::vector<std::int32_t> first_, next_;
  std::vector<Vec3d> points_;
};

inline std::string countOf(std::size_t n, const std::string& what) {  // "3 disks"
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// Slots of the particles in this circle or sphere, by their centres; where there is none, the one
// nearest to it whose rim, half a sigma away, it touches.
inline std::vector<std::size_t> withinReach(const Box& box, const std::vector<Vec3d>& places,
                                            const HandMove& move) {
  constexpr double kRim = 0.5;
  std::vector<std::size_t> within;
  std::size_t nearest = places.size();
  double least = (move.radius + kRim) * (move.radius + kRim);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3d d = box.minimumImage(places[i] - move.at);
    const double square = dot(d, d);
    if (square <= move.radius * move.radius) within.push_back(i);
    if (square < least) least = square, nearest = i;
  }
  if (within.empty() && nearest < places.size()) within.push_back(nearest);
  return within;
}

// Without those at `gone`, in ascending order; each is `width` values of `all`.
template <class T>
void eraseAll(std::vector<T>& all, const std::vector<std::size_t>& gone, std::size_t width = 1) {
  std::size_t next = 0, kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    while (next < gone.size() && gone[next] < i / width) ++next;
    if (next == gone.size() || gone[next] != i / width) all[kept++] = all[i];
  }
  all.resize(kept);
}

// Places for new particles, evenly over the circle or sphere from its centre outwards: a sunflower,
// no random numbers. `offer` is called with each in turn.
void forEachPlace(const Box& box, const HandMove& move, const auto& offer) {
  constexpr double kPerVolume = 12, kMost = 1024, kGolden = 0.6180339887498949,
                   kTurn = 6.283185307179586;
  const double r = move.radius, size = box.dimension == 3 ? 4.19 * r * r * r : 3.14 * r * r;
  const auto tries = static_cast<int>(std::fmin(kMost, 1 + kPerVolume * size));
  for (int k = 0; k < tries; ++k) {
    const double share = static_cast<double>(k) / tries, angle = kTurn * kGolden * k;
    const double far = r * (box.dimension == 3 ? std::cbrt(share) : std::sqrt(share));
    // Heights by another irrational share, so that they do not go with the distance.
    const double up =
        box.dimension == 3 ? 2 * std::fmod(0.5 + 0.41421356237309515 * k, 1.0) - 1 : 0;
    const double flat = far * std::sqrt(1 - up * up);
    offer(inBox(move.at + Vec3d{flat * std::cos(angle), flat * std::sin(angle), far * up}, box));
  }
}

// In 2D the particle whose rim lies deepest around the point; in 3D the one that the ray meets
// first. Where none is hit, the nearest within PickQuery::reach of its rim.
class PickSearch {
 public:
  // In 2D distances are to the nearest images; the picture shows those that reach into the box.
  PickSearch(const PickQuery& query, const Box& box) : query_(query), box_(box), gap_(query.reach) {
    double square = 0;
    for (int a = 0; a < 3; ++a) square += query.direction[a] * query.direction[a];
    possible_ = box.dimension == 2 || square > 0;
    for (int a = 0; a < 3; ++a) along_[a] = possible_ ? query.direction[a] / std::sqrt(square) : 0;
  }

  // Positions in the box, in sigma. What is not drawn is no answer.
  void look(ParticleId id, const Vec3d& at, double radius, int type = 0) {
    if (!possible_) return;
    if (box_.dimension == 3)
      lookAlongRay(id, at, query_.size * radius, type);
    else
      lookInPlane(id, at, radius, type);
  }
  // 2D: particles with rims further away than this from the point need not be looked at.
  double limit() const { return gap_; }
  ParticleId found() const { return hit_ >= 0 ? hit_ : beside_; }

 private:
  void lookInPlane(ParticleId id, const Vec3d& at, double radius, int type) {
    const double place[2] = {at.x, at.y};
    double d[2];
    for (int a = 0; a < 2; ++a) {
      const double length = box_.length[a];
      d[a] = place[a] - query_.origin[a];
      d[a] -= length * std::round(d[a] / length);
      const double image = query_.origin[a] + d[a];
      if (std::max(-image, image - length) > radius) return;
    }
    const double gap = std::hypot(d[0], d[1]) - radius;
    if (gap > gap_ || !isDrawn(at, type)) return;
    gap_ = gap;
    beside_ = id;
  }
  void lookAlongRay(ParticleId id, const Vec3d& at, double radius, int type) {
    const double d[3] = {at.x - query_.origin[0], at.y - query_.origin[1], at.z - query_.origin[2]};
    double t = 0, square = 0;
    for (int a = 0; a < 3; ++a) {
      t += d[a] * along_[a];
      square += d[a] * d[a];
    }
    const double aside2 = std::max(0.0, square - t * t);
    if (aside2 > radius * radius) {
      const double gap = std::sqrt(aside2) - radius;
      if (t > 0 && gap < gap_ && isDrawn(at, type)) gap_ = gap, beside_ = id;
      return;
    }
    const double entry = t - std::sqrt(radius * radius - aside2);
    if (entry < 0 || entry >= entry_ || !isDrawn(at, type)) return;
    entry_ = entry;
    hit_ = id;
  }
  bool isDrawn(const Vec3d& at, int type) const {
    return !query_.isDrawn || query_.isDrawn(at, type);
  }

  PickQuery query_;
  Box box_;
  double along_[3];
  bool possible_ = true;
  double gap_;                                              // from the rim, of beside_
  double entry_ = std::numeric_limits<double>::infinity();  // of hit_ along the ray
  ParticleId hit_ = -1, beside_ = -1;
};

// From ids to slots, as particles are stored in an order of their own. Built anew when particles
// come, go or change their slots.
class IdMap {
 public:
  IdMap() = default;
  // Unique ids, fewer than 2^32 of them.
  explicit IdMap(std::span<const ParticleId> idOfSlot) : slots_(idOfSlot.size()) {
    CELLSCOPE_ASSERT(idOfSlot.size() <= std::numeric_limits<std::uint32_t>::max());
    std::iota(slots_.begin(), slots_.end(), 0u);
    if (!std::is_sorted(idOfSlot.begin(), idOfSlot.end()))
      std::sort(slots_.begin(), slots_.end(),
                [&](std::uint32_t a, std::uint32_t b) { return idOfSlot[a] < idOfSlot[b]; });
    ids_.reserve(slots_.size());
    for (const std::uint32_t slot : slots_) ids_.push_back(idOfSlot[slot]);
  }

  std::optional<std::uint32_t> find(ParticleId id) const {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (at == ids_.end() || *at != id) return std::nullopt;
    return slots_[static_cast<std::size_t>(at - ids_.begin())];
  }
  std::size_t size() const { return ids_.size(); }
  // The k-th in ascending order of ids, with its slot.
  std::pair<ParticleId, std::size_t> entry(std::size_t k) const { return {ids_[k], slots_[k]}; }

 private:
  std::vector<ParticleId> ids_;  // in ascending order, each with its slot
  std::vector<std::uint32_t> slots_;
};

}  // namespace cellscope
