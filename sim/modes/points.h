// Points of which one asks whether any is near a position: used to put particles into a box.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/box.h"

namespace cellscope {

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

}  // namespace cellscope
