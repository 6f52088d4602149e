// Turns CUDA error codes into RunError. For .cu files and CUDA-aware .cpp files only.
#pragma once
#include <cuda_runtime.h>

namespace cellscope::exec {

// Throws RunError naming the operation, CUDA's text and the way out. Clears the error first, so
// that a fallback can carry on.
void checkCuda(cudaError_t code, const char* operation);

}  // namespace cellscope::exec
