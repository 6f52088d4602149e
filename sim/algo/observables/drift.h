// The drift over a series: J. Geweke, in Bayesian Statistics 4 (Oxford, 1992), p. 169.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

namespace cellscope {

// Mean of a series of values.

inline double meanOf(std::span<const double> v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

inline constexpr std::size_t kLeastForDrift = 32;  // values

// First fifth minus last half, in standard errors of that difference as `errorOf` the last half
// tells them; 0 for fewer values than kLeastForDrift, infinite where the last half stands still
// elsewhere: a series that came to rest has drifted there.
template <class ErrorOf>
double driftOver(std::span<const double> values, const ErrorOf& errorOf) {
  if (values.size() < kLeastForDrift) return 0;
  const std::span<const double> first = values.first(values.size() / 5);
  const std::span<const double> last = values.last(values.size() / 2);
  const double ratio = static_cast<double>(last.size()) / static_cast<double>(first.size());
  const double before = meanOf(first), after = meanOf(last), drift = before - after;
  const double error = errorOf(last) * std::sqrt(1 + ratio);
  // Sums of equal values round.
  const double rounding = 1e-12 * std::max(std::abs(before), std::abs(after));
  if (std::abs(drift) <= rounding) return 0;
  return error > rounding ? drift / error
                          : std::copysign(std::numeric_limits<double>::infinity(), drift);
}

}  // namespace cellscope
