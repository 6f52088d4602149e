// Pressure from counts near contact: polynomial fits extrapolated to contact (S3, section 4).
//
// A least-squares fit extrapolated to a fixed point is linear in the data. The weights are computed
// once; the average of estimates per sample is therefore the estimate from the averaged counts.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/algo/observables/disk_observables.h"
#include "sim/base/curve_series.h"

namespace cellscope {

// Weights a_i such that sum a_i f(x_i) is the value at `target` of the least-squares polynomial of
// degree `degree` through (x_i, f(x_i)). x: distinct, more than `degree` of them. Orthogonal
// polynomials on the abscissa mapped to [-1, 1], in long double.
std::vector<double> extrapolationWeights(std::span<const double> x, double target, int degree);

// g(1+) by S3 eqs. (5) and (6), and P* by eq. (4).
class ContactFit {
 public:
  explicit ContactFit(const RadialBins& bins = contactBins(), int degree = 5);

  // g(R_i) of eq. (5) from ordered pair counts; disks = N times samples.
  std::vector<double> radial(std::span<const std::uint64_t> pairs, std::uint64_t disks,
                             double density) const;
  double contactValue(std::span<const std::uint64_t> pairs, std::uint64_t disks,
                      double density) const;
  // The same for real-valued counts (model data).
  double contactValue(std::span<const double> pairs, double disks, double density) const;
  // P*; NaN without disks.
  double pressure(const ContactCounts& counts, double density) const;

  const std::vector<double>& radii() const { return radius_; }  // R_i, eq. (6)

 private:
  RadialBins bins_;
  std::vector<double> radius_;
  std::vector<double> weight_;
};

// s(0+) and P* from the scale distribution function s(x) = counts / (N dx).
class ScaleFit {
 public:
  explicit ScaleFit(const ScaleBins& bins = {}, int degree = 5);
  double atZero(std::span<const std::uint64_t> counts, std::uint64_t disks) const;
  double pressure(const ContactCounts& counts, double density) const;  // NaN without disks

 private:
  ScaleBins bins_;
  std::vector<double> weight_;
};

// P* = rho Z from the free paths of all disks; NaN without disks.
double pressureOfPaths(double density, const FreePathVirial& virial);

// g(r) at the bins' R_i (eq. 6) from accumulated counts, as a series to plot. Bins that reach
// beyond half the shortest side `length` are left out.
CurveSeries radialDistribution(const PairCounts& counts, double density, double length);

}  // namespace cellscope
