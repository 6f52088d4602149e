// Overlap test for random insertion of disks of diameter 1: a grid over a periodic box.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/box.h"

namespace cellscope {

// One disk at most per cell: the cell diagonal is below one diameter.
class PlacementGrid {
 public:
  // Minimum distance, larger than 1 by far more than the coordinate quantum, so that rounding makes
  // no overlap.
  static constexpr double kGap = 1e-5;

  explicit PlacementGrid(const Box& box) : axis_{Axis(box.length[0]), Axis(box.length[1])} {
    occupant_.assign(static_cast<std::size_t>(axis_[0].cells * axis_[1].cells), -1);
  }

  // Inserts disk number `disk` at (x, y) in the box unless it overlaps; positions of the
  // earlier disks: x0, y0, x1, y1, ...
  bool tryAdd(double x, double y, std::int64_t disk, const std::vector<double>& positions) {
    const std::int64_t cx = axis_[0].cellOf(x), cy = axis_[1].cellOf(y);
    if (at(cx, cy) >= 0) return false;
    for (std::int64_t dy = -2; dy <= 2; ++dy)
      for (std::int64_t dx = -2; dx <= 2; ++dx) {
        const std::int64_t other = at(axis_[0].wrap(cx + dx), axis_[1].wrap(cy + dy));
        if (other >= 0 && tooNear(x, y, &positions[static_cast<std::size_t>(2 * other)]))
          return false;
      }
    at(cx, cy) = static_cast<std::int32_t>(disk);
    return true;
  }

 private:
  struct Axis {
    explicit Axis(double side)
        : length(side),
          cells(static_cast<std::int64_t>(std::ceil(side * 1.4143))),
          width(side / static_cast<double>(cells)) {}
    std::int64_t cellOf(double v) const {
      return std::min(static_cast<std::int64_t>(v / width), cells - 1);
    }
    std::int64_t wrap(std::int64_t c) const {
      return c < 0 ? c + cells : (c >= cells ? c - cells : c);
    }
    double length;
    std::int64_t cells;
    double width;
  };
  std::int32_t& at(std::int64_t cx, std::int64_t cy) {
    return occupant_[static_cast<std::size_t>(cy * axis_[0].cells + cx)];
  }
  bool tooNear(double x, double y, const double* p) const {
    double dx = std::fabs(x - p[0]), dy = std::fabs(y - p[1]);
    dx = std::min(dx, axis_[0].length - dx);
    dy = std::min(dy, axis_[1].length - dy);
    return dx * dx + dy * dy < (1 + kGap) * (1 + kGap);
  }

  Axis axis_[2];
  std::vector<std::int32_t> occupant_;
};

}  // namespace cellscope
