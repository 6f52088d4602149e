// Upper limit of the speed of hard-disk sweeps.
#pragma once
#include <string>
#include <utility>

#include "sim/exec/device_limits.h"

namespace cellscope::bench {

// Two coordinates and an identity are stored of a disk at least. A state that fits the cache need
// not touch the memory at all.
inline constexpr double kStoredPerDisk = 12;

// Trial moves per second that arithmetic or memory allows, whichever is less, and what counts
// towards both. State point of Anderson et al. 2013, section 5: packing 0.698, n_M = 4, d = 0.16.
// movesPerDisk: trial moves per disk and sweep.
std::pair<double, std::string> sweepLimit(double disks, double movesPerDisk,
                                          const exec::DeviceLimits& device);

}  // namespace cellscope::bench
