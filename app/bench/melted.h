// Hard disks for the benchmarks, in a state that has melted, and the upper limit of their speed.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "sim/api/mode.h"
#include "sim/exec/device_limits.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {

// The state point of Anderson et al. 2013, section 5, with packing 0.698, n_M = 4, d = 0.16: n
// disks on a square lattice.
Scenario statePoint(std::int64_t n, const std::string& mapping);

struct Melted {
  std::shared_ptr<Mode> mode;
  std::string state;  // what it is, in words and numbers; local order is the mean |psi6|
};

// n disks at the state point. They start from a square lattice, which falls apart by itself at this
// packing fraction, in seconds and without compression; a triangular one takes tens of thousands of
// sweeps to melt, and the acceptance is a tenth too high until then. Blocks of 500 sweeps are made
// until the acceptance changes by less than 1 % from one to the next: the speed depends on the
// surroundings of a disk, and these are then as in the fluid within a few per cent (256^2 disks:
// acceptance 0.288 and mean |psi6| 0.665 after 2000 sweeps, 0.2945 and 0.676 after 20,000). At most
// five seconds; `state` reports when that was not enough.
Melted meltedDisks(std::int64_t n, const ExecConfig& config, const std::string& mapping = "auto");

// Two coordinates and an identity are stored of a disk at least. A state that fits the cache need
// not touch the memory at all.
inline constexpr double kStoredPerDisk = 12;

// Trial moves per second that arithmetic or memory allows, whichever is less, and what counts
// towards both. movesPerDisk: trial moves per disk and sweep.
std::pair<double, std::string> sweepLimit(double disks, double movesPerDisk,
                                          const exec::DeviceLimits& device);

}  // namespace cellscope::bench
