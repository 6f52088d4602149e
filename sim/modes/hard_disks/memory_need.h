// Whether a state fits into memory, before anything of it is made.
#pragma once
#include <cstdint>

#include "sim/api/backend.h"
#include "sim/core/checkerboard.h"

namespace cellscope {

// Throws RunError when n disks in cells of this grid do not fit into what is free beside the state
// that there is: on the GPU and on the host. A run that goes over would be ended by the system, and
// what it has computed would be lost.
void checkMemory(std::int64_t n, const GridInfo& grid, Backend backend);

// The same with numbers of bytes at hand: says how much is needed, how much is free, and the
// largest n that fits. `where`: "GPU memory", "memory".
void checkMemory(std::int64_t n, std::size_t needed, std::size_t free, const char* where);

}  // namespace cellscope
