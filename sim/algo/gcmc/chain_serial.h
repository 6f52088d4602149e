// The serial chain without cells: O(N) per move.
#pragma once
#include <memory>

#include "sim/algo/gcmc/engine.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcSerial(const exec::Shared& exec, const GcmcOptions& options);

}  // namespace cellscope
