// Passes over a neighbour list on the CPU particle by particle, in the files of laws
// (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/verlet/list_forces.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

// lanes: as many sums for each particle, added up as on CUDA.
template <int potential>
struct CpuListLaw {
  static constexpr std::size_t kGrain = 256;
  static void run(exec::CpuExec&, const char* name, std::size_t n, const ForcesPass&, int lanes,
                  const AnyLaw&);
  static void run(exec::CpuExec&, const char* name, std::size_t n, const TermsPass&, int lanes,
                  const AnyLaw&);
  static void run(exec::CpuExec&, const char* name, std::size_t n, const BothPass&, int lanes,
                  const AnyLaw&);
};

}  // namespace cellscope
