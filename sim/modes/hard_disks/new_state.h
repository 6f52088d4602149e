// Builds the state of a new run.
#pragma once
#include "sim/api/mode.h"
#include "sim/modes/hard_disks/compression.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {

struct NewState {
  DiskSystem system;
  CompressionState compression;  // inactive; its sweeps are used up
};

// The initial state given by the parameters, compressed to the target packing; `report` is the
// progress callback. Throws InputError (impossible or unreachable states), RunError (memory), or
// what `report` throws.
NewState newState(const HardDiskParameters& p, const exec::Shared& exec,
                  const WorkReport& report = {});

// The state of a loaded configuration, which determines the number of disks and the packing. Throws
// InputError naming the offending disk or pair.
NewState adoptedState(const Configuration& c, const exec::Shared& exec,
                      const WorkReport& report = {});

}  // namespace cellscope
