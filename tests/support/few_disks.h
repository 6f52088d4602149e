// Few hard disks (sigma = 1, k_B T = 1) in a periodic square of side L: exact pressures and pair
// distributions, a sampler so simple that it can be trusted, and a test whether two histograms are
// of the same distribution.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

namespace cellscope::test {

// Partition function of 2 to 4 disks from cluster integrals (Mayer): with Q_0 = 1,
// n Q_n = A sum over l of l b_l Q_(n-l). In a box of side L >= n no cluster winds round it, and the
// b_l are those of the plane, in closed form through the virial coefficients B_2 to B_4.
struct FewDisks {
  double pressure = 0;  // P* = d ln Q_n / dA
  double free = 0;      // n! Q_n / A^n: share of random configurations without overlap
};
FewDisks fewDisks(int disks, double length);

// Probability of each bin [edge_k, edge_k+1) of the pair distance r (minimum image) of 2 or 3
// disks; L >= 4, and the last edge at most L / sqrt 2, the largest distance there is. Two disks are
// spread evenly over the square without the unit disk. A third one has room outside the unit disks
// around both, which share a lens when r < 2.
std::vector<double> exactBins(int disks, double length, const std::vector<double>& edges);

// Add `weight` to the bin of every pair distance (minimum image) of the points x0, y0, x1, y1, ...;
// false, with the bins spoilt, when a pair overlaps.
bool addPairs(const std::vector<double>& xy, double length, const std::vector<double>& edges,
              double weight, std::vector<double>& bins);

// Random points, kept when no two are nearer than 1.
class DirectSampler {
 public:
  DirectSampler(int disks, double length, std::vector<double> edges, std::uint64_t seed);
  // Shares of the bins among the pairs of `kept` configurations.
  std::vector<double> block(int kept);
  std::uint64_t kept() const { return kept_; }
  std::uint64_t tries() const { return tries_; }

 private:
  bool place();  // all points of a configuration; false at the first overlap
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53 * length_; }

  int disks_;
  double length_;
  std::vector<double> edges_;
  std::mt19937_64 random_;
  std::vector<double> xy_;
  std::uint64_t kept_ = 0, tries_ = 0;
};

// Means of several quantities over independent blocks, and the covariance of these means.
using Blocks = std::vector<std::vector<double>>;
struct BlockMeans {
  std::vector<double> mean;
  std::vector<std::vector<double>> covariance;  // empty: known exactly
};
BlockMeans meansOf(const Blocks& blocks);

// Hotelling's T^2 between bins and what is expected of them; the last bin is left out, as bins sum
// to one. When both have the same distribution and the blocks are many, T^2 follows chi-square with
// as many degrees of freedom as bins count.
double hotelling(const BlockMeans& measured, const BlockMeans& expected);

}  // namespace cellscope::test
