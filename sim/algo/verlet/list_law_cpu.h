// Passes over a neighbour list on the CPU particle by particle, in the files of laws
// (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/verlet/list_forces.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

inline constexpr std::size_t kListGrain = 256;

// The order of summation of a number of lanes, as on CUDA.
template <class Pass>
struct ByLanes {
  Pass pass;
  std::uint32_t lanes;
  void operator()(std::size_t i) const {
    RunningSums<float> s[32];
    for (std::uint32_t l = 0; l < lanes; ++l) s[l] = pass.sumsOf(i, l, lanes);
    for (std::uint32_t d = lanes / 2; d > 0; d /= 2)
      for (std::uint32_t l = 0; l < d; ++l) {
        s[l].fx += s[l + d].fx, s[l].fy += s[l + d].fy, s[l].fz += s[l + d].fz;
        s[l].energy += s[l + d].energy, s[l].virial += s[l + d].virial;
      }
    pass.store(i, s[0]);
  }
};

template <class Pass>
struct CpuListWork {
  using Real = float;
  exec::CpuExec& on;
  const char* name;
  std::size_t n;
  const Pass& pass;
  std::uint32_t lanes;  // as many sums for each particle
  void operator()(const auto& law) const {
    if (lanes == 1)
      on.forEach(name, n, pass.with(law), kListGrain);
    else
      on.forEach(name, n, ByLanes{pass.with(law), lanes}, kListGrain);
  }
};

}  // namespace cellscope
