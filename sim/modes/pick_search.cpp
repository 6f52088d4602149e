#include "sim/modes/pick_search.h"

#include <algorithm>
#include <cmath>

namespace cellscope {

PickSearch::PickSearch(const PickQuery& query, const Box& box) : box_(box), gap_(query.reach) {
  double square = 0;
  for (int a = 0; a < 3; ++a) square += query.direction[a] * query.direction[a];
  possible_ = box.dimension == 2 || square > 0;
  for (int a = 0; a < 3; ++a) {
    origin_[a] = query.origin[a];
    along_[a] = possible_ ? query.direction[a] / std::sqrt(square) : 0;
  }
}

void PickSearch::look(ParticleId id, double x, double y, double z, double radius) {
  if (!possible_) return;
  const double d[3] = {x - origin_[0], y - origin_[1], z - origin_[2]};
  if (box_.dimension == 3) return lookAlongRay(id, d, radius);
  const auto shortest = [&](int a) {
    return d[a] - box_.length[a] * std::round(d[a] / box_.length[a]);
  };
  const double gap = std::hypot(shortest(0), shortest(1)) - radius;
  if (gap > gap_) return;
  gap_ = gap;
  beside_ = id;
}

void PickSearch::lookAlongRay(ParticleId id, const double (&d)[3], double radius) {
  double t = 0, square = 0;
  for (int a = 0; a < 3; ++a) {
    t += d[a] * along_[a];
    square += d[a] * d[a];
  }
  const double aside2 = std::max(0.0, square - t * t);
  if (aside2 > radius * radius) {
    const double gap = std::sqrt(aside2) - radius;
    if (t > 0 && gap < gap_) gap_ = gap, beside_ = id;
    return;
  }
  const double entry = t - std::sqrt(radius * radius - aside2);
  if (entry < 0 || entry >= entry_) return;
  entry_ = entry;
  hit_ = id;
}

}  // namespace cellscope
