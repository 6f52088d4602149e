#include "sim/algo/mpmc/cpu_kernels.h"

#include "sim/exec/instruction_sets.h"

namespace cellscope {
namespace {

constexpr CpuKernels kSse2{"sse2", simd_sse2::updateRows, simd_sse2::shiftRows};
constexpr CpuKernels kAvx2{"avx2", simd_avx2::updateRows, simd_avx2::shiftRows};
constexpr CpuKernels kAvx512{"avx512", simd_avx512::updateRows, simd_avx512::shiftRows};

}  // namespace

const CpuKernels& cpuKernels(const std::string& name) {
  const std::string set = exec::instructionSet(name);
  for (const CpuKernels* k : {&kSse2, &kAvx2, &kAvx512})
    if (set == k->name) return *k;
  CELLSCOPE_ASSERT(set == kScalarKernels.name);
  return kScalarKernels;
}

}  // namespace cellscope
