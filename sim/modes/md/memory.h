// What molecular dynamics needs of memory.
#pragma once
#include "sim/modes/md/parameters.h"
#include "sim/modes/memory_need.h"

namespace cellscope::md {

MemoryNeed memoryNeed(const MdParameters& p, const ExecConfig& config);
// Throws RunError when the particles do not fit.
void checkMemory(const MdParameters& p, const ExecConfig& config);

}  // namespace cellscope::md
