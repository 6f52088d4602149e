// What molecular dynamics needs of memory.
#pragma once
#include "sim/modes/md/parameters.h"
#include "sim/modes/memory_need.h"

namespace cellscope::md {

// Bytes of the engine.
std::size_t engineNeed(const MdParameters& p, const ExecConfig& config);
MemoryNeed memoryNeed(const MdParameters& p, const ExecConfig& config);
// Throws RunError when the particles do not fit.
void checkMemory(const MdParameters& p, const ExecConfig& config);

}  // namespace cellscope::md
