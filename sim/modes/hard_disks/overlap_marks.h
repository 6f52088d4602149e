// Which disks overlap, to be marked in the picture: for systems small enough to be looked at disk
// by disk.
#pragma once
#include <vector>

#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// One mark per disk that is nearer than one diameter to another, by the rule of the trial moves;
// empty beyond MoveTrace::kMostDisks.
std::vector<PointInstance> overlapMarks(const DiskSystem& system);

}  // namespace cellscope
