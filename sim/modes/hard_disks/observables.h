// The observables of hard disks, each with its words and how it follows from a sample. A new one is
// a line in this list, and what it measures a field of DiskSample.
#pragma once
#include <cmath>
#include <functional>
#include <vector>

#include "sim/algo/observables/disk_observables.h"
#include "sim/api/observable.h"
#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// What is measured at one configuration, once, however many observables follow from it. Pressures
// in k_B T / sigma^2. NaN: not measured.
struct DiskSample {
  double pressure = std::nan("");        // contact extrapolation (S3, eqs. 4 to 6)
  double pressureScaled = std::nan("");  // scaled distribution function
  double pressurePaths = std::nan("");   // HardDiskParameters::freePaths
  BondOrderSummary order;
  MpmcCounters moves;                      // since the sample before
  double overlappingPairs = std::nan("");  // HardDiskParameters::leaveCell
};

struct DiskObservable {
  std::function<ObservableInfo(const NeighbourChoice&)> info;
  std::function<double(const DiskSample&)> value;
  bool pressure = false;  // published pressures belong beside it
};

// All there are, in the order of their columns.
const std::vector<DiskObservable>& diskObservables();

}  // namespace cellscope
