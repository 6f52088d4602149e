// Mean of a series of values.
#pragma once
#include <numeric>
#include <span>

namespace cellscope {

inline double meanOf(std::span<const double> v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

}  // namespace cellscope
