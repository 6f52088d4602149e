// Marks of overlapping disks, for systems small enough to check every
// disk.
#pragma once
#include <vector>

#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// One mark per disk closer than one diameter to another, by the rule of the trial moves;
// empty beyond MoveTrace::kMostDisks.
std::vector<PointInstance> overlapMarks(const DiskSystem& system);

}  // namespace cellscope
