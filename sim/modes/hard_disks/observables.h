// The observables of hard disks, each with its description and its value in a sample. A new one is
// an entry in this list; a measurement of its own, in a file of its own, asks the system.
#pragma once
#include <cmath>
#include <functional>
#include <vector>

#include "sim/algo/observables/disk_observables.h"
#include "sim/api/observable.h"
#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// Measurements of one configuration, shared by all observables. Pressures in k_B T / sigma^2. NaN:
// not measured.
struct DiskSample {
  const DiskSystem* system = nullptr;  // has the configuration, until the next sweep
  double pressure = std::nan("");      // contact extrapolation (Anderson et al. 2013, eqs. 4 to 6)
  double pressureScaled = std::nan("");  // scaled distribution function
  double pressurePaths = std::nan("");   // HardDiskParameters::freePaths
  BondOrderSummary order;
  MpmcCounters moves;                      // since the previous sample
  double overlappingPairs = std::nan("");  // MpmcExperiments::mayOverlap()
};

struct DiskObservable {
  std::function<ObservableInfo(const NeighbourChoice&)> info;
  std::function<double(const DiskSample&)> value;
  bool pressure = false;  // compared with published pressures
};

// All observables, in the order of the columns.
const std::vector<DiskObservable>& diskObservables();

}  // namespace cellscope
