#include <fmt/format.h>

#include "sim/algo/observables/disk_observables_impl.h"
#include "sim/base/error.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

static void addTo(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& values) {
  if (sum.empty()) sum.resize(values.size());
  CELLSCOPE_ASSERT(values.empty() || sum.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

std::string NeighbourChoice::label() const {
  return rule == NeighbourRule::voronoi ? "Voronoi neighbours"
                                        : fmt::format("neighbours within {} sigma", radius);
}

void ContactCounts::add(const ContactCounts& other) {
  addTo(pairs, other.pairs);
  addTo(scale, other.scale);
  disks += other.disks;
  samples += other.samples;
}

void PairCounts::add(const PairCounts& other) {
  addTo(pairs, other.pairs);
  disks += other.disks;
  samples += other.samples;
}

std::unique_ptr<DiskObservables> makeDiskObservablesCpu(const exec::Shared& exec) {
  return std::make_unique<DiskObservablesOn<exec::CpuExec>>(exec);
}

namespace {

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
