// Vector kernels, one namespace per instruction set. Only call those the processor can run.
#pragma once
#include "sim/algo/mpmc/cpu_kernels.h"

namespace cellscope {

#define CELLSCOPE_DECLARE_KERNELS(isa)                                                             \
  namespace isa {                                                                                  \
  void updateRows(const SubSweepTask& task, std::size_t begin, std::size_t end, MpmcTally& tally); \
  std::size_t shiftRows(const ShiftTask& task, std::size_t begin, std::size_t end);                \
  }
CELLSCOPE_DECLARE_KERNELS(simd_sse2)
CELLSCOPE_DECLARE_KERNELS(simd_avx2)
CELLSCOPE_DECLARE_KERNELS(simd_avx512)
#undef CELLSCOPE_DECLARE_KERNELS

}  // namespace cellscope
