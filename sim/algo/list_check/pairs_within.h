// All pairs of particles and images within a distance, in a box of any shape: the oracle that lists
// are compared with. It shares nothing with the builders of this program.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/pair_list.h"
#include "sim/base/vec.h"

namespace cellscope::list_check {

// A box of any shape, periodic along some of its vectors.
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

class PairsWithin {
 public:
  // reach: no pair further away is found. Throws InputError where there are too many to look at.
  PairsWithin(const PairList& list, double reach);

  // take(j, S, distance squared) of each particle j and shift with r[j] - r[i] + S cell within the
  // reach; not for i itself without a shift.
  template <class Take>
  void of(std::uint32_t i, Take&& take) const;

  const Lattice& lattice() const { return lattice_; }
  Vec3d place(std::size_t i) const { return at_[i]; }  // in the box
  Vec3d fraction(std::size_t i) const { return lattice_.fraction(at_[i]); }
  // S as it would be if all particles lay in the box: which faces a pair crosses.
  Shift inBox(std::size_t i, std::size_t j, const Shift& s) const {
    const Shift &a = away_[i], &b = away_[j];
    return {s[0] + b[0] - a[0], s[1] + b[1] - a[1], s[2] + b[2] - a[2]};
  }
  double distance(std::size_t i, std::size_t j, const Shift& s) const;
  Shift nearest(std::size_t i, std::size_t j) const;  // of all images of j

 private:
  void wrap(const PairList& list);
  void divide(const PairList& list);
  void sort();
  Shift binOf(std::size_t i) const;

  Lattice lattice_;
  double reach_;
  std::vector<Vec3d> at_;    // in the box
  std::vector<Shift> away_;  // boxes between that place and where the particle is
  // A grid over the fractions, periodic or over those of the particles; a particle looks into bins
  // up to `look` from its own, those of images included.
  double low_[3] = {0, 0, 0}, perFraction_[3] = {1, 1, 1};
  std::int32_t bins_[3] = {1, 1, 1}, look_[3] = {0, 0, 0};
  std::vector<std::uint32_t> first_, order_;  // of each bin; particles in their order
  std::vector<Vec3d> sorted_;                 // their places
};

template <class Take>
void PairsWithin::of(std::uint32_t i, Take&& take) const {
  const Shift own = binOf(i);
  const Vec3d from = at_[i];
  const double most = reach_ * reach_;
  const auto wrapped = [&](std::int32_t bin, int axis, std::int32_t& image) {
    image = static_cast<std::int32_t>(
        std::floor(static_cast<double>(bin) / static_cast<double>(bins_[axis])));
    return bin - image * bins_[axis];
  };
  const auto first = [&](int a) {
    return lattice_.periodic[a] ? own[a] - look_[a] : std::max(0, own[a] - look_[a]);
  };
  const auto last = [&](int a) {
    return lattice_.periodic[a] ? own[a] + look_[a] : std::min(bins_[a] - 1, own[a] + look_[a]);
  };
  Shift image{};
  for (std::int32_t z = first(2); z <= last(2); ++z) {
    const std::int32_t bz = wrapped(z, 2, image[2]);
    for (std::int32_t y = first(1); y <= last(1); ++y) {
      const std::int32_t by = wrapped(y, 1, image[1]);
      for (std::int32_t x = first(0); x <= last(0); ++x) {
        const std::int32_t bx = wrapped(x, 0, image[0]);
        const std::size_t bin =
            static_cast<std::size_t>(bx) +
            static_cast<std::size_t>(bins_[0]) *
                (static_cast<std::size_t>(by) +
                 static_cast<std::size_t>(bins_[1]) * static_cast<std::size_t>(bz));
        const Vec3d v = lattice_.vector(image);
        const Vec3d shifted{v.x - from.x, v.y - from.y, v.z - from.z};
        const bool home = image == Shift{};
        for (std::uint32_t k = first_[bin]; k < first_[bin + 1]; ++k) {
          const double dx = sorted_[k].x + shifted.x, dy = sorted_[k].y + shifted.y,
                       dz = sorted_[k].z + shifted.z;
          const double d2 = dx * dx + dy * dy + dz * dz;
          if (!(d2 <= most)) continue;
          const std::uint32_t j = order_[k];
          if (home && j == i) continue;
          const Shift &a = away_[i], &b = away_[j];
          take(j, Shift{image[0] + a[0] - b[0], image[1] + a[1] - b[1], image[2] + a[2] - b[2]},
               d2);
        }
      }
    }
  }
}

}  // namespace cellscope::list_check
