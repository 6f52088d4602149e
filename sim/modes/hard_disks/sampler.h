// Measures a configuration of hard disks and keeps what the curves are made of.
#pragma once
#include <iosfwd>
#include <memory>
#include <vector>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/contact_pressure.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/observables.h"
#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {

class DiskSampler {
 public:
  explicit DiskSampler(const exec::Shared& exec);

  // Bins, fit and neighbour rule from the parameters; forgets the accumulated counts. Throws
  // InputError when the bins do not fit the fit range or the fit its bins.
  void configure(const HardDiskParameters& p);
  static void check(const HardDiskParameters& p);

  // One sample, of the positions. accumulate: also add it to the counts and averages of the curves.
  DiskSample sample(const DiskSystem& system, bool accumulate);
  void reset();          // forget the counts at the present packing
  void changePacking();  // keep the mean at the present packing as a point of the curve
  void forgetEquationOfState() { visited_.clear(); }

  std::vector<Curve> curves(const DiskSystem& system) const;
  DiskObservables& observables() { return *observables_; }
  const DiskObservables& observables() const { return *observables_; }
  const NeighbourChoice& neighbours() const { return neighbours_; }

  void save(std::ostream& out) const;
  void load(std::istream& in);  // after configure(); throws InputError

 private:
  // Mean pressure at one packing fraction.
  struct Visited {
    double packing = 0;
    BlockAverage pressure;
  };
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
  Visited present_;
  std::vector<Visited> visited_;
  std::uint64_t sampled_ = 0;  // accumulated samples; every kPairEvery-th counts pairs to r_max
};

}  // namespace cellscope
