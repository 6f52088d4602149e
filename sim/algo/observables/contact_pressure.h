// Pressure from counts near contact: polynomial fits extrapolated to contact (S3, section 4).
//
// A least-squares fit extrapolated to a fixed point is linear in the data. The weights are computed
// once; the average of estimates per sample is therefore the estimate from the averaged counts.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/algo/observables/disk_observables.h"
#include "sim/base/curve_series.h"
#include "sim/core/equations_of_state.h"

namespace cellscope {

// Weights a_i such that sum a_i f(x_i) is the value at `target` of the least-squares polynomial of
// degree `degree` through (x_i, f(x_i)). x: distinct, more than `degree` of them. Orthogonal
// polynomials on the abscissa mapped to [-1, 1], in long double.
std::vector<double> extrapolationWeights(std::span<const double> x, double target, int degree);

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

inline double weighted(std::span<const double> weight, const auto& values) {
  CELLSCOPE_ASSERT(weight.size() == values.size());
  double sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) sum += weight[i] * static_cast<double>(values[i]);
  return sum;
}

// g(1+) by S3 eqs. (5) and (6), and P* by eq. (4).
class ContactFit {
 public:
  explicit ContactFit(const RadialBins& bins = contactBins(), int degree = 5) : bins_(bins) {
    for (int i = 0; i < bins.count; ++i)
      radius_.push_back(binRadius(bins.edge(i), bins.edge(i + 1)));
    weight_ = extrapolationWeights(radius_, 1.0, degree);
    // Fold 1 / (2 pi R_i dr) of eq. (5) into the weights.
    for (std::size_t i = 0; i < weight_.size(); ++i)
      weight_[i] /= 2.0 * kPi * radius_[i] * bins.width;
  }

  // g(R_i) of eq. (5) from ordered pair counts; disks = N times samples.
  std::vector<double> radial(std::span<const std::uint64_t> pairs, std::uint64_t disks,
                             double density) const {
    CELLSCOPE_ASSERT(pairs.size() == radius_.size());
    std::vector<double> g;
    const double scale = static_cast<double>(disks) * density * 2.0 * kPi * bins_.width;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      g.push_back(static_cast<double>(pairs[i]) / (scale * radius_[i]));
    return g;
  }
  // NaN without disks. Counts are whole numbers, or real ones (model data).
  double contactValue(const auto& pairs, auto disks, double density) const {
    if (disks == 0) return kUndefined;
    return weighted(weight_, pairs) / (static_cast<double>(disks) * density);
  }
  // P*; NaN without disks.
  double pressure(const ContactCounts& counts, double density) const {
    return pressureOfContact(density, contactValue(counts.pairs, counts.disks, density));
  }

  const std::vector<double>& radii() const { return radius_; }  // R_i, eq. (6)

 private:
  RadialBins bins_;
  std::vector<double> radius_;
  std::vector<double> weight_;
};

// s(0+) and P* from the scale distribution function s(x) = counts / (N dx).
class ScaleFit {
 public:
  explicit ScaleFit(const ScaleBins& bins = {}, int degree = 5) : bins_(bins) {
    std::vector<double> centre;
    for (int i = 0; i < bins.count; ++i) centre.push_back((i + 0.5) * bins.width);
    weight_ = extrapolationWeights(centre, 0.0, degree);
  }
  double atZero(std::span<const std::uint64_t> counts, std::uint64_t disks) const {
    if (disks == 0) return kUndefined;
    return weighted(weight_, counts) / (static_cast<double>(disks) * bins_.width);
  }
  // NaN without disks.
  double pressure(const ContactCounts& counts, double density) const {
    return pressureOfScale(density, atZero(counts.scale, counts.disks));
  }

 private:
  ScaleBins bins_;
  std::vector<double> weight_;
};

// P* = rho Z from the free paths of all disks; NaN without disks.
inline double pressureOfPaths(double density, const FreePathVirial& virial) {
  if (virial.disks == 0) return kUndefined;
  return density * (1.0 + 0.25 * virial.sum / static_cast<double>(virial.disks));
}

// g(r) at the bins' R_i (eq. 6) from accumulated counts, as a series to plot. Bins that reach
// beyond half the shortest side `length` are left out.
CurveSeries radialDistribution(const PairCounts& counts, double density, double length);

}  // namespace cellscope
