// Which particle a click means, over any list of particles.
#pragma once
#include <cstdint>
#include <limits>

#include "sim/api/mode.h"

namespace cellscope {

// In 2D the particle whose rim lies deepest around the point; in 3D the one that the ray meets
// first. Where none is hit, the nearest within PickQuery::reach of its rim.
class PickSearch {
 public:
  // length: of the box; in 2D distances are to the nearest images, which the picture shows.
  PickSearch(const PickQuery& query, int dimension, const double (&length)[3]);

  // Positions in the box, in sigma.
  void look(std::int64_t id, double x, double y, double z, double radius);
  // 2D: particles with rims further away than this from the point need not be looked at.
  double limit() const { return gap_; }
  std::int64_t found() const { return hit_ >= 0 ? hit_ : beside_; }

 private:
  void lookAlongRay(std::int64_t id, const double (&d)[3], double radius);

  int dimension_;
  double length_[3], origin_[3], along_[3];
  bool possible_ = true;
  double gap_;                                              // from the rim, of beside_
  double entry_ = std::numeric_limits<double>::infinity();  // of hit_ along the ray
  std::int64_t hit_ = -1, beside_ = -1;
};

}  // namespace cellscope
