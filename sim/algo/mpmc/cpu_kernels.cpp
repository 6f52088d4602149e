#include "sim/algo/mpmc/cpu_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "sim/algo/mpmc/cpu_kernels_simd.h"
#include "sim/api/error.h"
#include "sim/exec/instruction_sets.h"

namespace cellscope {
namespace {

constexpr CpuKernels kSse2{"sse2", simd_sse2::updateRows, simd_sse2::shiftRows};
constexpr CpuKernels kAvx2{"avx2", simd_avx2::updateRows, simd_avx2::shiftRows};
constexpr CpuKernels kAvx512{"avx512", simd_avx512::updateRows, simd_avx512::shiftRows};

std::vector<const CpuKernels*> available() {
  std::vector<const CpuKernels*> all = {&kScalarKernels, &kSse2};
  if (exec::hasAvx2()) all.push_back(&kAvx2);
  if (exec::hasAvx512()) all.push_back(&kAvx512);
  return all;
}

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
