// Host half of sim/exec/memory.h, shared by builds with and without CUDA.
#pragma once
#include <cstddef>

namespace cellscope::exec {
void* allocateHost(std::size_t bytes);  // 64-byte aligned; throws RunError
void releaseHost(void* p) noexcept;
}  // namespace cellscope::exec
