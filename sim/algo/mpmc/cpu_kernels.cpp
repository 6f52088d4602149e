#include "sim/algo/mpmc/cpu_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "sim/api/error.h"

namespace cellscope {
namespace {

std::vector<const CpuKernels*> available() { return {&kScalarKernels}; }

}  // namespace

std::vector<std::string> cpuKernelNames() {
  std::vector<std::string> names;
  for (const CpuKernels* k : available()) names.push_back(k->name);
  return names;
}

const CpuKernels& cpuKernels(const std::string& name) {
  const char* fromEnvironment = std::getenv("CELLSCOPE_ISA");
  const std::string wanted = !name.empty() ? name : fromEnvironment ? fromEnvironment : "";
  const std::vector<const CpuKernels*> all = available();
  if (wanted.empty()) return *all.back();
  for (const CpuKernels* k : all)
    if (wanted == k->name) return *k;
  throw InputError(
      fmt::format("instruction set '{}' (CELLSCOPE_ISA) cannot be used on this "
                  "processor; choose one of: {}",
                  wanted, fmt::join(cpuKernelNames(), ", ")));
}

}  // namespace cellscope
