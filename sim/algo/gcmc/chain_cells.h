// The serial chain with cells on the CPU: the same decisions, at a cost that does not depend on N.
#pragma once
#include <cstddef>
#include <memory>

#include "sim/algo/gcmc/engine.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcCellChain(const exec::Shared& exec, const GcmcOptions& options);
// What its store takes for n particles, before there is one.
std::size_t gcmcCellStoreBytes(std::size_t n, const Box& box, const GcmcPair& pair);

}  // namespace cellscope
