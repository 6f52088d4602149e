#include "sim/algo/observables/contact_pressure.h"

#include <algorithm>
#include <limits>

#include "sim/core/hard_disk_eos.h"

namespace cellscope {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// One polynomial of the orthogonal family: values at the nodes, at the target, and sum of squares.
struct Orthogonal {
  std::vector<long double> atNodes;
  long double atTarget = 0, norm = 0;
};

long double innerProduct(const std::vector<long double>& a, const std::vector<long double>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// p_{k+1} = (x - a_k) p_k - b_k p_{k-1} (Stieltjes); `before` is empty for k = 0.
Orthogonal nextPolynomial(const std::vector<long double>& x, long double target,
                          const Orthogonal& p, const Orthogonal& before) {
  std::vector<long double> xp(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) xp[i] = x[i] * p.atNodes[i];
  const long double a = innerProduct(xp, p.atNodes) / p.norm;
  const long double b = before.norm > 0 ? p.norm / before.norm : 0;
  Orthogonal next;
  next.atNodes.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    next.atNodes[i] = (x[i] - a) * p.atNodes[i];
    if (before.norm > 0) next.atNodes[i] -= b * before.atNodes[i];
  }
  next.atTarget = (target - a) * p.atTarget - b * before.atTarget;
  next.norm = innerProduct(next.atNodes, next.atNodes);
  return next;
}

template <class T>
double weighted(std::span<const double> weight, std::span<const T> values) {
  CELLSCOPE_ASSERT(weight.size() == values.size());
  double sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) sum += weight[i] * static_cast<double>(values[i]);
  return sum;
}

}  // namespace

std::vector<double> extrapolationWeights(std::span<const double> x, double target, int degree) {
  CELLSCOPE_ASSERT(degree >= 0 && x.size() > static_cast<std::size_t>(degree));
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const long double centre = 0.5L * (static_cast<long double>(*low) + *high);
  const long double half = x.size() > 1 ? 0.5L * (static_cast<long double>(*high) - *low) : 1.0L;
  std::vector<long double> scaled;
  for (double value : x) scaled.push_back((value - centre) / half);
  const long double at = (target - centre) / half;

  std::vector<long double> sum(x.size(), 0.0L);
  Orthogonal before;
  Orthogonal p{std::vector<long double>(x.size(), 1.0L), 1.0L, static_cast<long double>(x.size())};
  for (int k = 0; k <= degree; ++k) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += p.atNodes[i] * p.atTarget / p.norm;
    if (k == degree) break;
    Orthogonal next = nextPolynomial(scaled, at, p, before);
    before = std::move(p);
    p = std::move(next);
  }
  return {sum.begin(), sum.end()};
}

ContactFit::ContactFit(const RadialBins& bins, int degree) : bins_(bins) {
  for (int i = 0; i < bins.count; ++i) radius_.push_back(binRadius(bins.edge(i), bins.edge(i + 1)));
  weight_ = extrapolationWeights(radius_, 1.0, degree);
  // Fold 1 / (2 pi R_i dr) of eq. (5) into the weights.
  for (std::size_t i = 0; i < weight_.size(); ++i)
    weight_[i] /= 2.0 * kPi * radius_[i] * bins.width;
}

std::vector<double> ContactFit::radial(std::span<const std::uint64_t> pairs, std::uint64_t disks,
                                       double density) const {
  CELLSCOPE_ASSERT(pairs.size() == radius_.size());
  std::vector<double> g;
  const double scale = static_cast<double>(disks) * density * 2.0 * kPi * bins_.width;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    g.push_back(static_cast<double>(pairs[i]) / (scale * radius_[i]));
  return g;
}

double ContactFit::contactValue(std::span<const std::uint64_t> pairs, std::uint64_t disks,
                                double density) const {
  if (disks == 0) return kUndefined;
  return weighted(weight_, pairs) / (static_cast<double>(disks) * density);
}

double ContactFit::contactValue(std::span<const double> pairs, double disks, double density) const {
  return weighted(weight_, pairs) / (disks * density);
}

double ContactFit::pressure(const ContactCounts& counts, double density) const {
  if (counts.disks == 0) return kUndefined;
  return pressureOfContact(density, contactValue(counts.pairs, counts.disks, density));
}

ScaleFit::ScaleFit(const ScaleBins& bins, int degree) : bins_(bins) {
  std::vector<double> centre;
  for (int i = 0; i < bins.count; ++i) centre.push_back((i + 0.5) * bins.width);
  weight_ = extrapolationWeights(centre, 0.0, degree);
}

double ScaleFit::atZero(std::span<const std::uint64_t> counts, std::uint64_t disks) const {
  if (disks == 0) return kUndefined;
  return weighted(weight_, counts) / (static_cast<double>(disks) * bins_.width);
}

double ScaleFit::pressure(const ContactCounts& counts, double density) const {
  if (counts.disks == 0) return kUndefined;
  return pressureOfScale(density, atZero(counts.scale, counts.disks));
}

double pressureOfPaths(double density, const FreePathVirial& virial) {
  if (virial.disks == 0) return kUndefined;
  return density * (1.0 + 0.25 * virial.sum / static_cast<double>(virial.disks));
}

CurveSeries radialDistribution(const PairCounts& counts, double density, double length) {
  CurveSeries series;
  series.label = "this run";
  for (int i = 0; i < counts.bins.count && counts.disks > 0; ++i) {
    const double a = counts.bins.edge(i), b = counts.bins.edge(i + 1);
    if (b > 0.5 * length) break;
    const double radius = binRadius(a, b);
    const double ideal =
        static_cast<double>(counts.disks) * density * 2.0 * kPi * radius * counts.bins.width;
    series.add(radius, static_cast<double>(counts.pairs[static_cast<std::size_t>(i)]) / ideal);
  }
  return series;
}

}  // namespace cellscope
