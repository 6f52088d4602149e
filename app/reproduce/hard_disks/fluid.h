// The pressure of the fluid, where nothing is slow, against the most precise published equation of
// state: a systematic error of the engine or of an estimator shows there.
#pragma once
#include <cstdint>
#include <vector>

#include "app/reproduce/hard_disks/equilibrium.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {

// A measured state and what it should be.
struct FluidComparison {
  FluidPressure expected;
  // Measured minus expected (of N disks), in combined errors.
  double paths = 0, contact = 0, sdf = 0;
  double relative = 0, relativeError = 0;  // of the free paths
};
FluidComparison compareFluid(const StateResult& r, double packing, std::uint64_t disks);

// Throws InputError for packings that are not of the fluid.
void checkFluidPackings(const std::vector<double>& packings);

}  // namespace cellscope::reproduce
