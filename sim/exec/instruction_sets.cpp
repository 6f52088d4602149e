#include "sim/exec/instruction_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "sim/base/error.h"

namespace cellscope::exec {
namespace {

bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool hasAvx512() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

}  // namespace

std::vector<std::string> instructionSets() {
  std::vector<std::string> all = {"scalar", "sse2"};
  if (hasAvx2()) all.push_back("avx2");
  if (hasAvx512()) all.push_back("avx512");
  return all;
}

std::string instructionSet(const std::string& name) {
  const char* fromEnvironment = std::getenv("CELLSCOPE_ISA");
  const std::string wanted = !name.empty() ? name : fromEnvironment ? fromEnvironment : "";
  const std::vector<std::string> all = instructionSets();
  if (wanted.empty()) return all.back();
  if (std::find(all.begin(), all.end(), wanted) == all.end())
    throw InputError(
        fmt::format("instruction set '{}' (CELLSCOPE_ISA) cannot be used on this processor; choose "
                    "one of: {}",
                    wanted, fmt::join(all, ", ")));
  return wanted;
}

}  // namespace cellscope::exec
