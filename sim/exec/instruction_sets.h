// Which of the instruction sets that *_simd.cpp files are compiled for (sim/CMakeLists.txt) this
// processor has, and which one is used.
#pragma once
#include <string>
#include <vector>

namespace cellscope::exec {

// "scalar", "sse2", "avx2", "avx512": those that this processor has, slowest first. Every 64-bit
// x86 processor has the first two.
std::vector<std::string> instructionSets();

// `name`; where that is empty the environment variable CELLSCOPE_ISA, or else the fastest. Throws
// InputError naming the available sets.
std::string instructionSet(const std::string& name = "");

}  // namespace cellscope::exec
