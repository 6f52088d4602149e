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

// The initial state that the parameters ask for, compressed to the target packing; `report` is told
// how far it is. Throws InputError (what cannot be, or cannot be reached), RunError (memory), or
// what `report` throws.
NewState newState(const HardDiskParameters& p, const exec::Shared& exec,
                  const WorkReport& report = {});

// The state of a loaded configuration, which brings its own number of disks and packing. Throws
// InputError naming the disk or the pair that is wrong.
NewState adoptedState(const Configuration& c, const exec::Shared& exec,
                      const WorkReport& report = {});

}  // namespace cellscope
