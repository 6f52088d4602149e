// The reason that the build system had (CMakeLists.txt).
#pragma once

namespace cellscope {

// Why this build has no CUDA backend (kCudaBuilt): "nvcc was not found" or the like.
const char* whyNoCuda();

}  // namespace cellscope
