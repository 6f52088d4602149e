// Few hard disks (sigma = 1, k_B T = 1) in a periodic square of side L: exact pressures and pair
// distributions, a sampler so simple that it can be trusted, and a test whether two histograms are
// of the same distribution.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "sim/base/error.h"

namespace cellscope::test {
namespace few_disks {

inline constexpr double kPi = std::numbers::pi;

// Cluster integrals b_1 to b_4. Virial coefficients: B_2 = pi / 2; B_3 by Tonks (1936); B_4 by
// Rowlinson (1964) and Hemmer (1965).
inline std::vector<double> clusterIntegrals() {
  const double b2 = kPi / 2, b3 = (4.0 / 3 - std::numbers::sqrt3 / kPi) * b2 * b2;
  const double b4 = (2 - 9 * std::numbers::sqrt3 / (2 * kPi) + 10 / (kPi * kPi)) * b2 * b2 * b2;
  const double two =
      -b2;  // B_2 = -b_2, B_3 = 4 b_2^2 - 2 b_3, B_4 = -20 b_2^3 + 18 b_2 b_3 - 3 b_4
  const double three = (4 * two * two - b3) / 2;
  const double four = (-20 * two * two * two + 18 * two * three - b4) / 3;
  return {1, two, three, four};
}

// Area of the part of a disk of radius r inside the square of side L around its centre,
// r <= L / sqrt 2.
inline double areaInSquare(double r, double length) {
  const double h = length / 2;
  if (r <= h) return kPi * r * r;
  const double angle = std::acos(h / r);  // each side cuts off a circular segment
  return kPi * r * r - 4 * (r * r * angle - h * std::sqrt(r * r - h * h));
}

// Area common to two unit disks at distance r <= 2.
inline double lens(double r) { return 2 * std::acos(r / 2) - r / 2 * std::sqrt(4 - r * r); }

// Integral of 2 pi r lens(r) from 1 or more to b <= 2, by Simpson's rule. With r = 2 - u^2 the
// integrand is smooth up to r = 2.
inline double lensIntegral(double a, double b) {
  constexpr int kSteps = 400;
  const double from = std::sqrt(2 - b), h = (std::sqrt(2 - a) - from) / kSteps;
  double sum = 0;
  for (int k = 0; k <= kSteps; ++k) {
    const double u = from + k * h, r = 2 - u * u, f = 2 * kPi * r * lens(std::min(r, 2.0)) * 2 * u;
    sum += f * (k == 0 || k == kSteps ? 1 : k % 2 == 1 ? 4 : 2);
  }
  return sum * h / 3;
}

// Solution of the symmetric positive definite system a x = b (Gaussian elimination).
inline std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = i + 1; r < n; ++r) {
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

}  // namespace few_disks

// Partition function of 2 to 4 disks from cluster integrals (Mayer): with Q_0 = 1,
// n Q_n = A sum over l of l b_l Q_(n-l). In a box of side L >= n no cluster winds round it, and the
// b_l are those of the plane, in closed form through the virial coefficients B_2 to B_4.
struct FewDisks {
  double pressure = 0;  // P* = d ln Q_n / dA
  double free = 0;      // n! Q_n / A^n: share of random configurations without overlap
};
inline FewDisks fewDisks(int disks, double length) {
  CELLSCOPE_ASSERT(disks >= 1 && disks <= 4 && length >= disks);
  const double area = length * length;
  const std::vector<double> b = few_disks::clusterIntegrals();
  std::vector<double> q{1}, slope{0};  // Q_n and dQ_n / dA
  double factorial = 1;
  for (int n = 1; n <= disks; ++n) {
    double value = 0, derivative = 0;
    for (int l = 1; l <= n; ++l) {
      const auto rest = static_cast<std::size_t>(n - l);
      const double weight = l * b[static_cast<std::size_t>(l - 1)] / n;
      value += weight * area * q[rest];
      derivative += weight * (q[rest] + area * slope[rest]);
    }
    q.push_back(value);
    slope.push_back(derivative);
    factorial *= n;
  }
  return {slope.back() / q.back(), factorial * q.back() / std::pow(area, disks)};
}

// Probability of each bin [edge_k, edge_k+1) of the pair distance r (minimum image) of 2 or 3
// disks; L >= 4, and the last edge at most L / sqrt 2, the largest distance there is. Two disks are
// spread evenly over the square without the unit disk. A third one has room outside the unit disks
// around both, which share a lens when r < 2.
inline std::vector<double> exactBins(int disks, double length, const std::vector<double>& edges) {
  CELLSCOPE_ASSERT((disks == 2 || disks == 3) && length >= 4);
  const double area = length * length;
  // Integral over the third disk, without the lens; of two disks there is none.
  const double room = disks == 2 ? 1 : area - 2 * few_disks::kPi;
  const double whole =
      room * (area - few_disks::kPi) + (disks == 2 ? 0 : few_disks::lensIntegral(1, 2));
  std::vector<double> p;
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    double weight = room * (few_disks::areaInSquare(edges[k + 1], length) -
                            few_disks::areaInSquare(edges[k], length));
    if (disks == 3 && edges[k] < 2)
      weight += few_disks::lensIntegral(edges[k], std::min(edges[k + 1], 2.0));
    p.push_back(weight / whole);
  }
  return p;
}

// Add `weight` to the bin of every pair distance (minimum image) of the points x0, y0, x1, y1, ...;
// false, with the bins spoilt, when a pair overlaps.
inline bool addPairs(const std::vector<double>& xy, double length, const std::vector<double>& edges,
                     double weight, std::vector<double>& bins) {
  for (std::size_t i = 0; i < xy.size(); i += 2)
    for (std::size_t j = 0; j < i; j += 2) {
      const double r = std::hypot(std::remainder(xy[i] - xy[j], length),
                                  std::remainder(xy[i + 1] - xy[j + 1], length));
      if (r < 1) return false;
      std::size_t bin = 0;
      while (bin + 1 < bins.size() && r >= edges[bin + 1]) ++bin;
      bins[bin] += weight;
    }
  return true;
}

// Random points, kept when no two are nearer than 1.
class DirectSampler {
 public:
  DirectSampler(int disks, double length, std::vector<double> edges, std::uint64_t seed)
      : disks_(disks), length_(length), edges_(std::move(edges)), random_(seed) {}
  // Shares of the bins among the pairs of `kept` configurations.
  std::vector<double> block(int kept) {
    std::vector<double> bins(edges_.size() - 1, 0.0);
    const double weight = 2.0 / (disks_ * (disks_ - 1)) / kept;
    for (int k = 0; k < kept; ++k) {
      do ++tries_;
      while (!place());
      addPairs(xy_, length_, edges_, weight, bins);
    }
    return bins;
  }
  std::uint64_t tries() const { return tries_; }

 private:
  // All points of a configuration; false at the first overlap.
  bool place() {
    xy_.clear();
    for (int n = 0; n < disks_; ++n) {
      const double x = uniform(), y = uniform();
      for (std::size_t k = 0; k < xy_.size(); k += 2) {
        // Across the boundary the other way is shorter.
        double dx = std::abs(x - xy_[k]), dy = std::abs(y - xy_[k + 1]);
        dx = std::min(dx, length_ - dx), dy = std::min(dy, length_ - dy);
        if (dx * dx + dy * dy < 1) return false;
      }
      xy_.push_back(x);
      xy_.push_back(y);
    }
    return true;
  }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53 * length_; }

  int disks_;
  double length_;
  std::vector<double> edges_;
  std::mt19937_64 random_;
  std::vector<double> xy_;
  std::uint64_t tries_ = 0;
};

// Means of several quantities over independent blocks, and the covariance of these means.
using Blocks = std::vector<std::vector<double>>;
struct BlockMeans {
  std::vector<double> mean;
  std::vector<std::vector<double>> covariance;  // empty: known exactly
};
inline BlockMeans meansOf(const Blocks& blocks) {
  BlockMeans m;
  if (blocks.empty()) return m;
  const std::size_t p = blocks.front().size();
  const auto n = static_cast<double>(blocks.size());
  m.mean.assign(p, 0.0);
  for (const auto& b : blocks)
    for (std::size_t k = 0; k < p; ++k) m.mean[k] += b[k] / n;
  m.covariance.assign(p, std::vector<double>(p, 0.0));
  for (const auto& b : blocks)
    for (std::size_t i = 0; i < p; ++i)
      for (std::size_t j = 0; j < p; ++j)
        m.covariance[i][j] += (b[i] - m.mean[i]) * (b[j] - m.mean[j]) / (n * (n - 1));
  return m;
}

// Hotelling's T^2 between bins and what is expected of them; the last bin is left out, as bins sum
// to one. When both have the same distribution and the blocks are many, T^2 follows chi-square with
// as many degrees of freedom as bins count.
inline double hotelling(const BlockMeans& measured, const BlockMeans& expected) {
  const std::size_t p = expected.mean.size() - 1;
  std::vector<double> difference(p);
  std::vector<std::vector<double>> covariance(p, std::vector<double>(p, 0.0));
  for (std::size_t i = 0; i < p; ++i) {
    difference[i] = measured.mean[i] - expected.mean[i];
    for (std::size_t j = 0; j < p; ++j)
      for (const BlockMeans* m : {&measured, &expected})
        if (!m->covariance.empty()) covariance[i][j] += m->covariance[i][j];
    covariance[i][i] += 1e-14;  // a bin that never changes is certain, not undefined
  }
  const std::vector<double> x = few_disks::solve(covariance, difference);
  double t2 = 0;
  for (std::size_t i = 0; i < p; ++i) t2 += difference[i] * x[i];
  return t2;
}

}  // namespace cellscope::test
