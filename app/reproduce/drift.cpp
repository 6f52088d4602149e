#include "app/reproduce/drift.h"

#include <algorithm>
#include <cmath>

#include "sim/core/assert.h"

namespace cellscope::reproduce {
namespace {

// In the second half of a run. Their error estimate has an uncertainty of 18 %: multiplied by
// kStudent, three errors are as rare as three exact standard errors (Student's t, 15 degrees of
// freedom: 3.59 for 0.27
// %).
constexpr std::size_t kBlocks = 16;
constexpr double kStudent = 1.196;

}  // namespace

const ObservableSeries& seriesOf(const std::vector<ObservableSeries>& all, const std::string& id) {
  for (const ObservableSeries& s : all)
    if (s.info.id == id) return s;
  CELLSCOPE_ASSERT(!"an observable that the mode declares");
  return all.front();
}

double driftOf(const ObservableSeries& s) {
  if (s.step.empty()) return 0;
  const double begin = static_cast<double>(s.epochStart), end = s.step.back();
  // The running means at two points give the mean of the values between
  // them.
  const auto pointAt = [&](double step) {
    const auto at = std::lower_bound(s.step.begin(), s.step.end(), step);
    return static_cast<std::size_t>(at - s.step.begin());
  };
  const auto between = [&](std::size_t i, std::size_t j) {
    const double a = s.step[i] - begin, b = s.step[j] - begin;
    return (s.mean[j] * b - s.mean[i] * a) / (b - a);
  };
  const std::size_t middle = pointAt((begin + end) / 2), last = s.step.size() - 1;
  if (middle + kBlocks > last) return 0;  // also when the average begins after the last point
  const double second = between(middle, last);
  double squares = 0;
  std::size_t from = middle;
  for (std::size_t block = 1; block <= kBlocks; ++block) {
    const std::size_t to = middle + (last - middle) * block / kBlocks;
    squares += std::pow(between(from, to) - second, 2);
    from = to;
  }
  const double error = kStudent * std::sqrt(squares / (kBlocks * (kBlocks - 1)));
  const double share = (s.step[middle] - begin) / (end - begin);
  if (!(error > 0)) return 0;
  return (second - s.mean[middle]) / (error * std::sqrt(1 + (1 - share) / share));
}

}  // namespace cellscope::reproduce
