// Verlet lists from a standard cell list: cells no narrower than the longest reach, the particles
// in the order of their cells, and for each particle the 27 cells around it (nine in 2D).
#pragma once
#include <cstddef>
#include <memory>

#include "sim/algo/neighbours/builder.h"
#include "sim/base/backend.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeCellListCpu(const exec::Shared& exec);
std::unique_ptr<ListBuilder> makeCellListCuda(const exec::Shared& exec);  // builds with CUDA only

// Of the arrays for this input.
std::size_t cellListBytes(const ListInput& input);

}  // namespace cellscope
