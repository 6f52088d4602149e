// What files of laws have of neighbour lists on the CPU (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/verlet/list_law_cpu.h"

namespace cellscope {

// The order of summation of a number of lanes, as on CUDA.
template <class Law, PassKind kind>
struct ByLanes {
  ListPass<Law, kind> pass;
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

template <class Law, PassKind kind>
void forEachByLanes(exec::CpuExec& exec, const char* name, std::size_t n,
                    const ListPass<Law, kind>& pass, std::uint32_t lanes) {
  constexpr std::size_t kGrain = CpuListLaw<0>::kGrain;
  if (lanes == 1)
    exec.forEach(name, n, pass, kGrain);
  else
    exec.forEach(name, n, ByLanes<Law, kind>{pass, lanes}, kGrain);
}

template <int potential>
void CpuListLaw<potential>::run(exec::CpuExec& exec, const char* name, std::size_t n,
                                const ForcesPass& pass, int lanes, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    forEachByLanes(exec, name, n, pass.with(law), static_cast<std::uint32_t>(lanes));
  });
}
template <int potential>
void CpuListLaw<potential>::run(exec::CpuExec& exec, const char* name, std::size_t n,
                                const TermsPass& pass, int lanes, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    forEachByLanes(exec, name, n, pass.with(law), static_cast<std::uint32_t>(lanes));
  });
}
template <int potential>
void CpuListLaw<potential>::run(exec::CpuExec& exec, const char* name, std::size_t n,
                                const BothPass& pass, int lanes, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    forEachByLanes(exec, name, n, pass.with(law), static_cast<std::uint32_t>(lanes));
  });
}

}  // namespace cellscope
