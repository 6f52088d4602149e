// What *_simd.cpp files define once for each instruction set (sim/CMakeLists.txt).
#pragma once
#include <string>

// Declares a function or a constant of this type in the namespace of each set, and nameFor(), which
// gives that of a set (exec::instructionSet()); "scalar" has the one of SSE2.
#define CELLSCOPE_FOR_SETS(Type, name) \
  namespace simd_sse2 {                \
  extern Type name;                    \
  }                                    \
  namespace simd_avx2 {                \
  extern Type name;                    \
  }                                    \
  namespace simd_avx512 {              \
  extern Type name;                    \
  }                                    \
  Type& name##For(const std::string& instructions = "")

// Defines nameFor() in a file that is compiled once and includes sim/exec/machine.h.
#define CELLSCOPE_CHOICE_OF_SETS(Type, name)                    \
  Type& name##For(const std::string& instructions) {            \
    const std::string set = exec::instructionSet(instructions); \
    return set == "avx512" ? simd_avx512::name                  \
           : set == "avx2" ? simd_avx2::name                    \
                           : simd_sse2::name;                   \
  }
