// The observables of hard disks, each with its description and its value in a sample. A new one is
// an entry in this list; a measurement of its own, in a file of its own, asks the system.
#pragma once
#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/api/mode.h"
#include "sim/io/container.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {

// Measurements of one configuration, shared by all observables. Pressures in k_B T / sigma^2. NaN:
// not measured.
struct DiskSample {
  const DiskSystem* system = nullptr;  // has the configuration, until the next sweep
  double pressure = std::nan("");      // contact extrapolation (Anderson et al. 2013, eqs. 4 to 6)
  double pressureScaled = std::nan("");  // scaled distribution function
  double pressurePaths = std::nan("");   // HardDiskParameters::freePaths
  BondOrderSummary order;
  MpmcCounters moves;  // since the previous sample
  double overlappingPairs = std::nan(""), lostDisks = std::nan("");
};

struct DiskObservable {
  ObservableInfo info;
  double (*value)(const DiskSample&);
  bool pressure = false;  // compared with published pressures
  // What the definition of neighbours adds to the equation.
  std::string (*ofNeighbours)(const NeighbourChoice&) = nullptr;
};

// All observables, in the order of the columns.
const std::vector<DiskObservable>& diskObservables();

// Measures configurations of hard disks and accumulates the data of the curves.
class DiskSampler {
 public:
  explicit DiskSampler(const exec::Shared& exec);

  // Sets bins, fit and neighbour rule from the parameters; clears the accumulated counts. Throws
  // InputError for inconsistent bins, fit range or degree.
  void configure(const HardDiskParameters& p);
  static void check(const HardDiskParameters& p);

  // Measures the positions. accumulate: also adds them to the counts and averages of the curves.
  DiskSample sample(const DiskSystem& system, bool accumulate);
  // Clears the counts at the current packing.
  void reset() {
    forgetCounts();
    averagesStartOver();
  }
  void changePacking();  // keeps the mean at the current packing as a point of the curve
  // Of pairs, not the mean.
  void forgetCounts() {
    contact_.clear();
    pairs_.clear();
    sampled_ = 0;
  }
  // As in Mode, of the pressure: the equation of state.
  void averagesStartOver() {
    pressure_.restart();
    settled_ = false;
  }
  void averagesAre(std::uint64_t leftOut, bool settled) {
    pressure_.leaveOut(leftOut);
    settled_ = settled;
  }
  void forgetEquationOfState() { visited_.clear(); }

  std::vector<Curve> curves(const DiskSystem& system) const {
    return {contactCurve(system), radialCurve(system), equationOfState()};
  }
  DiskObservables& observables() { return *observables_; }
  const NeighbourChoice& neighbours() const { return neighbours_; }

  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);  // after configure(); throws InputError

 private:
  // Mean pressure at one packing fraction, and whether it is one of equilibrium.
  struct Visited {
    double packing = 0, pressure = 0, error = 0;
    std::uint64_t settled = 0;
  };
  static void fields(auto& io, auto& of);  // of a checkpoint, from the first on
  std::optional<Visited> present() const;
  Curve contactCurve(const DiskSystem& system) const;
  Curve radialCurve(const DiskSystem& system) const;
  Curve equationOfState() const;

  std::unique_ptr<DiskObservables> observables_;
  std::vector<CurveSeries> published_;
  HardDiskParameters options_;
  NeighbourChoice neighbours_;
  ContactCounts contact_, one_;
  PairCounts pairs_;
  std::unique_ptr<ContactFit> contactFit_;
  std::unique_ptr<ScaleFit> scaleFit_;
  std::vector<double> fitX_;
  std::vector<std::vector<double>> fitWeights_;  // of the fitted polynomial at each fitX_
  double packing_ = 0;                           // of the present averages
  Beginnings<BlockAverage> pressure_;
  bool settled_ = false;
  std::vector<Visited> visited_;
  // Accumulated samples; the first kPairEvery and then every kPairEvery-th count pairs to r_max.
  std::uint64_t sampled_ = 0;
};

}  // namespace cellscope
