// Measurements on a configuration of hard disks held in cell lists (sim/core/checkerboard.h).
//
// One implementation per backend; views must be in the memory of that backend. All sums are sums of
// integers, so results do not depend on the number of threads, and counts are equal on
// both backends. Each call returns when its results are in host memory (or in `out`).
#pragma once
#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/backend.h"
#include "sim/base/curve_series.h"
#include "sim/core/checkerboard.h"
#include "sim/core/equations_of_state.h"
#include "sim/core/radial_bins.h"
#include "sim/exec/context.h"
#include "sim/exec/layout.h"

namespace cellscope {

// Bins of the scale distribution function: x_i = i width, x = 1 - 1/r for the nearest disk at r.
struct ScaleBins {
  double width = 1e-4;
  std::int32_t count = 200;  // xmax = count width; at most kMaxRadialBins
  friend bool operator==(const ScaleBins&, const ScaleBins&) = default;
};

// Counts near contact, added up over samples. N: disks; disks = samples N.
struct ContactCounts {
  RadialBins pairBins = contactBins();
  ScaleBins scaleBins;
  std::vector<std::uint64_t> pairs;  // ordered pairs (each pair twice), S3 eq. (5)
  std::vector<std::uint64_t> scale;  // disks by the compression at which they first touch
  std::uint64_t disks = 0;
  std::uint64_t samples = 0;

  void clear() {  // keeps the bins
    pairs.assign(static_cast<std::size_t>(pairBins.count), 0);
    scale.assign(static_cast<std::size_t>(scaleBins.count), 0);
    disks = samples = 0;
  }
  void add(const ContactCounts& other);  // same bins
};

// Counts for g(r).
struct PairCounts {
  RadialBins bins = plotBins();
  std::vector<std::uint64_t> pairs;  // ordered pairs
  std::uint64_t disks = 0;
  std::uint64_t samples = 0;

  void clear() {
    pairs.assign(static_cast<std::size_t>(bins.count), 0);
    disks = samples = 0;
  }
  void add(const PairCounts& other);
};

// Sum over all disks of the mean virial on their free paths along x and y
// (sim/algo/observables/disk_kernels.h): Z = 1 + sum / (4 disks).
struct FreePathVirial {
  double sum = 0;
  std::uint64_t disks = 0;
};

// Definition of neighbours. Every plot names the rule used (label()).
enum class NeighbourRule {
  voronoi,      // Voronoi cells share an edge longer than 1e-5 of their distance
  withinRadius  // distance below `radius`
};
struct NeighbourChoice {
  NeighbourRule rule = NeighbourRule::voronoi;
  double radius = 1.5;  // for withinRadius: near the first minimum of g(r) of the dense liquid
  std::string label() const;  // "Voronoi neighbours", "neighbours within 1.5 sigma"
};

// Per slot (GridInfo::slotCount() entries, layout of the cell lists), in the backend's memory; any
// pointer may be null. Empty slots are set to zero.
struct BondOrderView {
  Vec2* psi6 = nullptr;                // (1/n) sum over neighbours of exp(6 i theta); 0 when n = 0
  std::uint8_t* neighbours = nullptr;  // n
  // Local number density: 1 / (area of the Voronoi cell), or for withinRadius
  // (n + 1) / (pi radius^2).
  float* density = nullptr;
};
struct BondArrays {
  exec::Array<Vec2> psi6;
  exec::Array<std::uint8_t> neighbours;
  exec::Array<float> density;
  static exec::Layout<BondArrays> layout(std::size_t slots) {
    return {{"psi6", &BondArrays::psi6, slots},
            {"numbers of neighbours", &BondArrays::neighbours, slots},
            {"local densities", &BondArrays::density, slots}};
  }
  BondOrderView view() const { return {psi6.data(), neighbours.data(), density.data()}; }
};

struct BondOrderSummary {
  std::complex<double> psi6;  // mean over all disks; Psi6 = abs(psi6)
  double meanModulus = 0;     // mean of |psi6| of a disk
  double densitySpread = 0;   // standard deviation of the local number density over the disks
  std::uint64_t disks = 0;
  std::array<std::uint64_t, 16> byNeighbours{};  // disks with n neighbours; the last: 15 or more
};

class DiskObservables {
 public:
  virtual ~DiskObservables() = default;
  virtual Backend backend() const = 0;

  // Add one sample to the counts near contact. Bins must end below half the box.
  virtual void contact(const DiskCellsView& cells, ContactCounts& counts) = 0;
  // Add one sample to the counts of g(r). Pairs beyond half the box are not counted.
  virtual void pairs(const DiskCellsView& cells, PairCounts& counts) = 0;
  virtual FreePathVirial freePaths(const DiskCellsView& cells) = 0;
  // Bond order of each disk into `out` (may be all null), and its sums.
  virtual BondOrderSummary bondOrder(const DiskCellsView& cells, const NeighbourChoice& choice,
                                     const BondOrderView& out) = 0;
};

using MakeDiskObservables = std::unique_ptr<DiskObservables>(const exec::Shared& exec);
MakeDiskObservables makeDiskObservablesCpu, makeDiskObservablesCuda;
inline constexpr MakeDiskObservables* makeDiskObservables =
    exec::makeOn<makeDiskObservablesCpu, makeDiskObservablesCuda>;

// --- Pressure from counts near contact: polynomial fits extrapolated to contact (S3, section 4).
//
// A least-squares fit extrapolated to a fixed point is linear in the data. The weights are computed
// once; the average of estimates per sample is therefore the estimate from the averaged counts. ---

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
