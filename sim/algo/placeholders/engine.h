// Molecular dynamics with placeholder cells (S2, section 3): no lists; forces come from the cells
// around each, which are brought up to date in the same pass.
#pragma once
#include <memory>

#include "sim/algo/placeholders/cells.h"

namespace cellscope {

std::unique_ptr<AllPairsEngine> makePlaceholdersCpu(const exec::Shared& exec);
// Builds with CUDA only.
std::unique_ptr<AllPairsEngine> makePlaceholdersCuda(const exec::Shared& exec);
inline std::unique_ptr<AllPairsEngine> makePlaceholders(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makePlaceholdersCuda(exec);
  return makePlaceholdersCpu(exec);
}

// What such an engine takes for n particles. Cells that grow, as in a vapour that condenses, take
// more.
std::size_t placeholderBytes(std::size_t n, const Box& box, const PairSettings& settings);

}  // namespace cellscope
