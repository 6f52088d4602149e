// CUDA half of sim/exec/memory.h: defined by builds with CUDA only, called only if kCudaBuilt.
#pragma once
#include <cstddef>
#include <utility>

#include "sim/base/backend.h"

namespace cellscope::exec {

struct CudaStatus;
CudaStatus detectCuda();
void chooseDevice(int device);
std::pair<std::size_t, std::size_t> deviceMemory();  // free, total
void* allocateDevice(std::size_t bytes);             // throws OutOfMemory
void releaseDevice(void* p) noexcept;
void* allocatePinned(std::size_t bytes);
void releasePinned(void* p) noexcept;
// At least one side lies in device memory.
void copyDevice(Backend to, void* destination, Backend from, const void* source, std::size_t bytes);
void fillDevice(void* p, int byte, std::size_t bytes);

}  // namespace cellscope::exec
