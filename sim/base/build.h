// What the build told the program (CMakeLists.txt).
#pragma once
#include <string>

namespace cellscope {

// The folder of scenarios, reference data and help texts: the environment variable CELLSCOPE_ASSETS
// if it is set, otherwise share/cellscope beside the folder of an installed program, otherwise
// `assets` of the source tree that the program was built from.
std::string assetFolder();

// Why this build has no CUDA backend (kCudaBuilt): "nvcc was not found" or the like.
const char* whyNoCuda();

const char* programVersion();  // "0.1.0"

}  // namespace cellscope
