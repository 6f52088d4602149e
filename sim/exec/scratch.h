// Scratch of verbs that grows with their items, known before there is an exec: what its workspace
// will have room for.
#pragma once
#include <cstddef>

#include "sim/base/backend.h"

namespace cellscope::exec {

// Of a scan of n 32-bit words.
std::size_t scanScratch(std::size_t n, const ExecConfig& config);
std::size_t scanScratchCuda(std::size_t n, int device);  // builds with CUDA only

}  // namespace cellscope::exec
