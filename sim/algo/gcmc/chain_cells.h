// The serial chain with cells on the CPU: the same decisions, at a cost that does not depend on N.
#pragma once
#include <memory>

#include "sim/algo/gcmc/engine.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcCellChain(const exec::Shared& exec, const GcmcOptions& options);

}  // namespace cellscope
