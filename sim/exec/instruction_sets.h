// Which of the instruction sets that *_simd.cpp files are compiled for (sim/CMakeLists.txt) this
// processor has. Every 64-bit x86 processor has SSE2.
#pragma once

namespace cellscope::exec {

inline bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
inline bool hasAvx512() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

}  // namespace cellscope::exec
