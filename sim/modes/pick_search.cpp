#include "sim/modes/pick_search.h"

#include <algorithm>
#include <cmath>

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

}  // namespace cellscope
