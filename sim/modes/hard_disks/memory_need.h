// Memory needed by hard disks.
#pragma once
#include <cstdint>

#include "sim/base/backend.h"
#include "sim/core/checkerboard.h"
#include "sim/modes/memory_need.h"

namespace cellscope {

// How a state is built: directly, or through boxes of other sizes, where old and new cells exist
// together.
enum class BoxHistory { constant, changing };

// For n disks in cells of this grid.
MemoryNeed diskMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                      BoxHistory history);

// Throws RunError when they do not fit.
void checkMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                 BoxHistory history);

}  // namespace cellscope
