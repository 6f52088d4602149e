#include "sim/run/equilibration.h"
#include "sim/run/mean_of.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cellscope {
namespace {

constexpr std::size_t kLeast = 32, kBlocks = 8;
constexpr double kAtRest = 2;  // where a drift is to be ruled out, a smaller one counts

// Standard error of the mean of `v` from its blocks.
double errorOf(std::span<const double> v) {
  const std::size_t length = v.size() / kBlocks;
  std::array<double, kBlocks> blocks{};
  for (std::size_t b = 0; b < kBlocks; ++b) blocks[b] = meanOf(v.subspan(b * length, length));
  const double mean = meanOf(blocks);
  double squares = 0;
  for (double block : blocks) squares += (block - mean) * (block - mean);
  return std::sqrt(squares / (kBlocks * (kBlocks - 1.0)));
}

// Values since the averages began.
std::vector<double> sinceEpoch(const ObservableSeries& s) {
  const auto begin =
      std::upper_bound(s.step.begin(), s.step.end(), static_cast<double>(s.epochStart));
  return {s.value.begin() + (begin - s.step.begin()), s.value.end()};
}

}  // namespace

double driftInErrors(std::span<const double> values) {
  if (values.size() < kLeast) return 0;
  const std::span<const double> first = values.first(values.size() / 5);
  const std::span<const double> last = values.last(values.size() / 2);
  const double ratio = static_cast<double>(last.size()) / static_cast<double>(first.size());
  const double error = errorOf(last) * std::sqrt(1 + ratio);
  return error > 0 ? (meanOf(first) - meanOf(last)) / error : 0;
}

Equilibration equilibrationOf(const std::vector<ObservableSeries>& series) {
  Equilibration s;
  s.over = true;
  for (const ObservableSeries& one : series) {
    if (!one.info.relaxes) continue;
    const std::vector<double> all = sinceEpoch(one);
    const std::span<const double> values = all;
    if (!(std::abs(driftInErrors(values)) > kDrifts)) continue;
    s.drifting.push_back(one.info.label);
    const std::span<const double> recent = values.last(values.size() / 2);
    // A few values cannot show that they are at rest.
    s.over = s.over && recent.size() >= 2 * kLeast && std::abs(driftInErrors(recent)) < kAtRest;
  }
  s.over = s.over && !s.drifting.empty();
  return s;
}

}  // namespace cellscope
