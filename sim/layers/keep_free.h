// What labels leave free.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/layers/layers.h"

namespace cellscope {

// No label covers this line.
inline void keepFree(const LineInstance& line, float radius, std::vector<LabelInstance>& labels) {
  constexpr int kMost = 16;
  float length = 0;
  for (int k = 0; k < 3; ++k) length = std::hypot(length, line.b[k] - line.a[k]);
  const int parts = std::clamp(static_cast<int>(length / (2 * radius)), 1, kMost);
  for (int i = 0; i < parts; ++i) {
    const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(parts);
    float at[3];
    for (int k = 0; k < 3; ++k) at[k] = line.a[k] + share * (line.b[k] - line.a[k]);
    labels.push_back(labelOfBall(at, radius, ""));
  }
}

}  // namespace cellscope
