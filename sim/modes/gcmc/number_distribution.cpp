#include "sim/modes/gcmc/number_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cellscope::gcmc {
namespace {

constexpr double kFewest = 20;  // attempts behind a ratio
constexpr double kShallow = 0.5;

using Iterator = std::vector<double>::const_iterator;

double lnSum(Iterator begin, Iterator end) {
  const double most = *std::max_element(begin, end);
  double sum = 0;
  for (Iterator i = begin; i != end; ++i) sum += std::exp(*i - most);
  return most + std::log(sum);
}

double meanOf(const std::vector<double>& lnP, std::size_t begin, std::size_t end,
              std::size_t first) {
  const double most = *std::max_element(lnP.begin() + static_cast<std::ptrdiff_t>(begin),
                                        lnP.begin() + static_cast<std::ptrdiff_t>(end));
  double sum = 0, moment = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double w = std::exp(lnP[i] - most);
    sum += w, moment += w * static_cast<double>(first + i);
  }
  return moment / sum;
}

// ln of the weight from `split` on, over that below it.
double imbalance(const std::vector<double>& lnP, std::size_t split) {
  const auto middle = lnP.begin() + static_cast<std::ptrdiff_t>(split);
  return lnSum(middle, lnP.end()) - lnSum(lnP.begin(), middle);
}

// Where the two sides weigh the same; it grows with the shift.
double balanced(const NumberDistribution& d, std::size_t split) {
  double low = -20, high = 20;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (imbalance(d.at(middle).lnP, split) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

NumberDistribution NumberDistribution::at(double shift) const {
  NumberDistribution d = *this;
  if (d.lnP.empty()) return d;
  for (std::size_t i = 0; i < d.lnP.size(); ++i) d.lnP[i] += shift * static_cast<double>(i);
  const double all = lnSum(d.lnP.begin(), d.lnP.end());
  for (double& v : d.lnP) v -= all;
  return d;
}

double NumberDistribution::mean() const {
  return lnP.empty() ? 0 : meanOf(lnP, 0, lnP.size(), first);
}

NumberDistribution distributionOf(const std::vector<GcmcTransition>& sums, double oddsOfKinds) {
  NumberDistribution d;
  const auto known = [&](std::size_t n) {
    return n + 1 < sums.size() && sums[n].insertions >= kFewest && sums[n].up > 0 &&
           sums[n + 1].deletions >= kFewest && sums[n + 1].down > 0;
  };
  while (d.first < sums.size() && !known(d.first)) ++d.first;
  if (d.first == sums.size()) return {};
  d.lnP = {0};
  for (std::size_t n = d.first; known(n); ++n)
    d.lnP.push_back(d.lnP.back() + std::log(oddsOfKinds * (sums[n].up / sums[n].insertions) /
                                            (sums[n + 1].down / sums[n + 1].deletions)));
  return d;
}

std::optional<Coexistence> coexistenceOf(const NumberDistribution& d) {
  if (d.lnP.size() < 8) return std::nullopt;
  std::size_t split = d.lnP.size() / 2;
  Coexistence c{};
  for (int round = 0; round < 20; ++round) {
    c.shift = balanced(d, split);
    const std::vector<double> p = d.at(c.shift).lnP;
    const auto middle = p.begin() + static_cast<std::ptrdiff_t>(split);
    const auto left = std::max_element(p.begin(), middle),
               right = std::max_element(middle, p.end());
    const auto lowest = std::min_element(left, right + 1);
    c.depth = std::min(*left, *right) - *lowest;
    const auto found = static_cast<std::size_t>(lowest - p.begin());
    c.vapour = meanOf(p, 0, split, d.first), c.liquid = meanOf(p, split, p.size(), d.first);
    c.lnWeight =
        d.first == 0 ? lnSum(p.begin(), middle) - p[0] : std::numeric_limits<double>::quiet_NaN();
    if (found == split || found == 0 || found + 1 >= p.size()) break;
    split = found;
  }
  if (!(c.depth > kShallow)) return std::nullopt;
  return c;
}

}  // namespace cellscope::gcmc
