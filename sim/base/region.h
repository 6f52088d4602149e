// Part of the scene between planes across the axes.
#pragma once
#include <limits>

namespace cellscope {

// All of the scene by default.
struct Region {
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  double lo[3] = {-kFar, -kFar, -kFar}, hi[3] = {kFar, kFar, kFar};

  bool everywhere() const {
    for (int axis = 0; axis < 3; ++axis)
      if (lo[axis] > -kFar || hi[axis] < kFar) return false;
    return true;
  }
  friend bool operator==(const Region&, const Region&) = default;
};

}  // namespace cellscope
