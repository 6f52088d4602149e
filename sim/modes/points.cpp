#include "sim/modes/points.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/assert.h"

namespace cellscope {

PickSearch::PickSearch(const PickQuery& query, const Box& box)
    : query_(query), box_(box), gap_(query.reach) {
  double square = 0;
  for (int a = 0; a < 3; ++a) square += query.direction[a] * query.direction[a];
  possible_ = box.dimension == 2 || square > 0;
  for (int a = 0; a < 3; ++a) along_[a] = possible_ ? query.direction[a] / std::sqrt(square) : 0;
}

void PickSearch::look(ParticleId id, const Vec3d& at, double radius, int type) {
  if (!possible_) return;
  if (box_.dimension == 3)
    lookAlongRay(id, at, query_.size * radius, type);
  else
    lookInPlane(id, at, radius, type);
}

void PickSearch::lookInPlane(ParticleId id, const Vec3d& at, double radius, int type) {
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

void PickSearch::lookAlongRay(ParticleId id, const Vec3d& at, double radius, int type) {
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

IdMap::IdMap(std::span<const ParticleId> idOfSlot) : slots_(idOfSlot.size()) {
  CELLSCOPE_ASSERT(idOfSlot.size() <= std::numeric_limits<std::uint32_t>::max());
  std::iota(slots_.begin(), slots_.end(), 0u);
  if (!std::is_sorted(idOfSlot.begin(), idOfSlot.end()))
    std::sort(slots_.begin(), slots_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return idOfSlot[a] < idOfSlot[b]; });
  ids_.reserve(slots_.size());
  for (const std::uint32_t slot : slots_) ids_.push_back(idOfSlot[slot]);
}

std::optional<std::uint32_t> IdMap::find(ParticleId id) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (at == ids_.end() || *at != id) return std::nullopt;
  return slots_[static_cast<std::size_t>(at - ids_.begin())];
}

}  // namespace cellscope
