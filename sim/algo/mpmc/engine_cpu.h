// The CPU engine with a chosen kernel set, for tests and benchmarks.
#pragma once
#include <memory>
#include <string>

#include "sim/algo/mpmc/engine.h"

namespace cellscope {

// kernels: name of an instruction set (exec::instructionSet).
std::unique_ptr<MpmcEngine> makeMpmcEngineCpu(int threads, const std::string& kernels);

}  // namespace cellscope
