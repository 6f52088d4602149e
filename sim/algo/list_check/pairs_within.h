// All pairs of particles and images within a distance, in a box of any shape: the oracle that lists
// are compared with. It shares nothing with the builders of this program.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/box.h"
#include "sim/base/pair_list.h"
#include "sim/core/rounded.h"

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

// The same on every backend.
HOST_DEVICE double sumOf(double a, double b, double c) { return addRn(addRn(a, b), c); }

// What a search of PairsWithin reads.
struct PairsView {
  double row[3][3], most;  // reach squared
  bool periodic[3];
  std::int32_t bins[3], look[3];
  const Vec3d *at, *sorted;
  const Shift *away, *bin;
  const std::uint32_t *first, *order;

  HOST_DEVICE void of(std::uint32_t i, auto&& take) const;

 private:
  HOST_DEVICE double alongAxis(const Shift& s, int k) const {
    return sumOf(mulRn(s[0], row[0][k]), mulRn(s[1], row[1][k]), mulRn(s[2], row[2][k]));
  }
  HOST_DEVICE std::int32_t from(const Shift& own, int a) const {
    const std::int32_t b = own[static_cast<std::size_t>(a)] - look[a];
    return periodic[a] || b > 0 ? b : 0;
  }
  HOST_DEVICE std::int32_t to(const Shift& own, int a) const {
    const std::int32_t b = own[static_cast<std::size_t>(a)] + look[a];
    return periodic[a] || b < bins[a] ? b : bins[a] - 1;
  }
  HOST_DEVICE std::int32_t imageOf(std::int32_t b, int a) const {
    return b >= 0 ? b / bins[a] : -((bins[a] - 1 - b) / bins[a]);
  }
};

class PairsWithin {
 public:
  // reach: no pair further away is found. Throws InputError where there are too many to look at.
  PairsWithin(const PairList& list, double reach);

  // take(j, S, distance squared) of each particle j and shift with r[j] - r[i] + S cell within the
  // reach; not for i itself without a shift.
  void of(std::uint32_t i, auto&& take) const { view().of(i, take); }

  struct Arrays {
    std::vector<Vec3d> at;                    // in the box
    std::vector<Shift> away;                  // boxes between that place and where the particle is
    std::vector<Shift> bin;                   // of each particle
    std::vector<std::uint32_t> first, order;  // of each bin; particles in their order
    std::vector<Vec3d> sorted;                // their places
  };
  const Arrays& arrays() const { return arrays_; }
  PairsView view() const;
  // Whether no particle has two images within the reach of another, nor one of its own.
  bool oneImage() const;

  const Lattice& lattice() const { return lattice_; }
  Vec3d place(std::size_t i) const { return arrays_.at[i]; }  // in the box
  Vec3d fraction(std::size_t i) const { return lattice_.fraction(arrays_.at[i]); }
  // S as it would be if all particles lay in the box: which faces a pair crosses.
  Shift inBox(std::size_t i, std::size_t j, const Shift& s) const {
    const Shift &a = arrays_.away[i], &b = arrays_.away[j];
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
  // A grid over the fractions, periodic or over those of the particles; a particle looks into bins
  // up to `look` from its own, those of images included.
  double low_[3] = {0, 0, 0}, perFraction_[3] = {1, 1, 1};
  std::int32_t bins_[3] = {1, 1, 1}, look_[3] = {0, 0, 0};
  Arrays arrays_;
};

HOST_DEVICE void PairsView::of(std::uint32_t i, auto&& take) const {
  const Shift own = bin[i];
  const Vec3d r = at[i];
  for (std::int32_t z = from(own, 2), zEnd = to(own, 2); z <= zEnd; ++z)
    for (std::int32_t y = from(own, 1), yEnd = to(own, 1); y <= yEnd; ++y)
      for (std::int32_t x = from(own, 0), xEnd = to(own, 0); x <= xEnd; ++x) {
        const Shift image{imageOf(x, 0), imageOf(y, 1), imageOf(z, 2)};
        const auto b = static_cast<std::size_t>(
            x - image[0] * bins[0] +
            std::int64_t{bins[0]} *
                (y - image[1] * bins[1] + std::int64_t{bins[1]} * (z - image[2] * bins[2])));
        const double vx = alongAxis(image, 0) - r.x, vy = alongAxis(image, 1) - r.y,
                     vz = alongAxis(image, 2) - r.z;
        const bool home = image[0] == 0 && image[1] == 0 && image[2] == 0;
        for (std::uint32_t k = first[b]; k < first[b + 1]; ++k) {
          const double dx = sorted[k].x + vx, dy = sorted[k].y + vy, dz = sorted[k].z + vz;
          const double d2 = sumOf(mulRn(dx, dx), mulRn(dy, dy), mulRn(dz, dz));
          if (!(d2 <= most)) continue;
          const std::uint32_t j = order[k];
          if (home && j == i) continue;
          const Shift &a = away[i], &c = away[j];
          take(j, Shift{image[0] + a[0] - c[0], image[1] + a[1] - c[1], image[2] + a[2] - c[2]},
               d2);
        }
      }
}

}  // namespace cellscope::list_check
