// Measurements on a configuration of hard disks held in cell lists (sim/core/checkerboard.h).
//
// One implementation per backend; views must be in the memory of that backend. All sums are sums of
// integers, so results do not depend on the number of threads, and counts are equal on
// both backends. Each call returns when its results are in host memory (or in `out`).
#pragma once
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/backend.h"
#include "sim/core/checkerboard.h"
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

  void clear();                          // clears the counts, keeps the bins
  void add(const ContactCounts& other);  // same bins
};

// Counts for g(r).
struct PairCounts {
  RadialBins bins = plotBins();
  std::vector<std::uint64_t> pairs;  // ordered pairs
  std::uint64_t disks = 0;
  std::uint64_t samples = 0;

  void clear();
  void add(const PairCounts& other);
};

// Sum over all disks of the mean virial on their free paths along x and y
// (sim/algo/observables/free_path_kernel.h): Z = 1 + sum / (4 disks).
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

}  // namespace cellscope
