// Overlap test for random insertion of disks of diameter 1: a square grid over a periodic square
// box.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cellscope {

// One disk at most per cell: the cell diagonal is below one diameter.
class PlacementGrid {
 public:
  // Minimum distance, larger than 1 by far more than the coordinate quantum, so that rounding makes
  // no overlap.
  static constexpr double kGap = 1e-5;

  explicit PlacementGrid(double length)
      : length_(length),
        m_(static_cast<std::int64_t>(std::ceil(length * 1.4143))),
        width_(length / static_cast<double>(m_)),
        occupant_(static_cast<std::size_t>(m_ * m_), -1) {}

  // Inserts disk number `disk` at (x, y) in [0, length) unless it overlaps; positions of the
  // earlier disks: x0, y0, x1, y1, ...
  bool tryAdd(double x, double y, std::int64_t disk, const std::vector<double>& positions) {
    const std::int64_t cx = cellOf(x), cy = cellOf(y);
    if (at(cx, cy) >= 0) return false;
    for (std::int64_t dy = -2; dy <= 2; ++dy)
      for (std::int64_t dx = -2; dx <= 2; ++dx) {
        const std::int64_t other = at(wrap(cx + dx), wrap(cy + dy));
        if (other >= 0 && tooNear(x, y, &positions[static_cast<std::size_t>(2 * other)]))
          return false;
      }
    at(cx, cy) = static_cast<std::int32_t>(disk);
    return true;
  }

 private:
  std::int64_t cellOf(double v) const {
    return std::min(static_cast<std::int64_t>(v / width_), m_ - 1);
  }
  std::int64_t wrap(std::int64_t c) const { return c < 0 ? c + m_ : (c >= m_ ? c - m_ : c); }
  std::int32_t& at(std::int64_t cx, std::int64_t cy) {
    return occupant_[static_cast<std::size_t>(cy * m_ + cx)];
  }
  bool tooNear(double x, double y, const double* p) const {
    double dx = std::fabs(x - p[0]), dy = std::fabs(y - p[1]);
    dx = std::min(dx, length_ - dx);
    dy = std::min(dy, length_ - dy);
    return dx * dx + dy * dy < (1 + kGap) * (1 + kGap);
  }

  double length_;
  std::int64_t m_;
  double width_;
  std::vector<std::int32_t> occupant_;
};

}  // namespace cellscope
