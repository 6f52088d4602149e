// Engines of molecular dynamics, each on the backend of an exec.
#pragma once
#include <array>
#include <memory>

#include "sim/algo/md/engine.h"
#include "sim/base/backend.h"
#include "sim/exec/context.h"

namespace cellscope {

using MakeMdEngine = std::unique_ptr<MdEngine>(const exec::Shared& exec);

// All pairs (S2, section 2); Verlet lists (S1), rebuilt when some particle has moved further than
// half the buffer; placeholder cells (S2, section 3), which are brought up to date with the forces.
// Those on CUDA exist in builds with CUDA only.
MakeMdEngine makeAllPairsCpu, makeAllPairsCuda;
MakeMdEngine makeVerletCpu, makeVerletCuda;
MakeMdEngine makePlaceholdersCpu, makePlaceholdersCuda;

template <MakeMdEngine* cpu, MakeMdEngine* cuda>
std::unique_ptr<MdEngine> makeMdEngine(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return cuda(exec);
  return cpu(exec);
}
inline std::unique_ptr<MdEngine> makeAllPairs(const exec::Shared& exec) {
  return makeMdEngine<makeAllPairsCpu, makeAllPairsCuda>(exec);
}
inline std::unique_ptr<MdEngine> makeVerlet(const exec::Shared& exec) {
  return makeMdEngine<makeVerletCpu, makeVerletCuda>(exec);
}
inline std::unique_ptr<MdEngine> makePlaceholders(const exec::Shared& exec) {
  return makeMdEngine<makePlaceholdersCpu, makePlaceholdersCuda>(exec);
}

// What an engine takes for n particles, with the structures that it needs, before there is one.
// Lists and cells that grow, as in a vapour that condenses, take more.
std::size_t allPairsBytes(Backend where, std::size_t n, int tile, int types = 1);
std::size_t verletBytes(std::size_t n, const Box& box, const PairSettings& settings,
                        const std::array<std::size_t, kMostTypes>& countOfType);
std::size_t placeholderBytes(std::size_t n, const Box& box, const PairSettings& settings);

}  // namespace cellscope
