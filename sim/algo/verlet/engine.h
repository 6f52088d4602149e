// Molecular dynamics with Verlet lists: every particle interacts with the neighbours in its list,
// which is rebuilt when some particle has moved further than half the buffer.
#pragma once
#include <array>
#include <memory>

#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/neighbours/methods.h"

namespace cellscope {

std::unique_ptr<AllPairsEngine> makeVerletCpu(const exec::Shared& exec);
std::unique_ptr<AllPairsEngine> makeVerletCuda(const exec::Shared& exec);  // builds with CUDA only
inline std::unique_ptr<AllPairsEngine> makeVerlet(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeVerletCuda(exec);
  return makeVerletCpu(exec);
}

// What such an engine takes for n particles, with the list and what builds it. Lists that grow, as
// in a vapour that condenses, take more.
std::size_t verletBytes(std::size_t n, const Box& box, const PairSettings& settings,
                        const std::array<std::size_t, kMostTypes>& countOfType);
inline std::size_t verletBytes(std::size_t n, const Box& box, const PairSettings& settings) {
  return verletBytes(n, box, settings, {n});
}

}  // namespace cellscope
