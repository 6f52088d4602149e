// A box of any shape, periodic along some of its vectors.
#pragma once
#include <array>

#include "sim/base/pair_list.h"
#include "sim/base/vec.h"

namespace cellscope::list_check {

using Shift = std::array<std::int32_t, 3>;

struct Lattice {
  double row[3][3], inverse[3][3];  // r = fraction * row, fraction = r * inverse
  double height[3];                 // distance of opposite faces
  bool periodic[3], tilted[3];      // tilted: the vector is not normal to its face

  // A vector of zeros along which the box is not periodic is replaced by a normal of the others.
  // Throws InputError for vectors that span no volume.
  explicit Lattice(const PairList& list);

  Vec3d fraction(Vec3d r) const { return times(r, inverse); }
  Vec3d vector(const Shift& s) const {
    return times({static_cast<double>(s[0]), static_cast<double>(s[1]), static_cast<double>(s[2])},
                 row);
  }
  // Of a point in fractions, to the nearest plane fraction = k / cells along a periodic axis.
  double toPlane(Vec3d fraction, const std::int64_t (&cells)[3]) const;

 private:
  static Vec3d times(Vec3d v, const double (&m)[3][3]) {
    return {v.x * m[0][0] + v.y * m[1][0] + v.z * m[2][0],
            v.x * m[0][1] + v.y * m[1][1] + v.z * m[2][1],
            v.x * m[0][2] + v.y * m[1][2] + v.z * m[2][2]};
  }
};

}  // namespace cellscope::list_check
