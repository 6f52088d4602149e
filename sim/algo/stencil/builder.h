// Verlet lists from a stencilled cell list (S1, Algorithm 1): cells as narrow as the shortest
// reach, and for each type a stencil of the cells that its longest reach needs.
#pragma once
#include <memory>

#include "sim/algo/neighbours/builder.h"
#include "sim/algo/stencil/list_kernels.h"
#include "sim/base/backend.h"

namespace cellscope {

class StencilBuilder : public ListBuilder {
 public:
  // The cells of the last build, in the memory of the backend. Searched as in the paper they have
  // the particles of all types in one row.
  virtual StencilCellsView cells() const = 0;
  virtual const Stencils& stencils() const = 0;  // on the host
};

std::unique_ptr<ListBuilder> makeStencilBuilderCpu(const exec::Shared& exec,
                                                   const ListOptions& options);
// In builds with CUDA only.
std::unique_ptr<ListBuilder> makeStencilBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options);

// Of the arrays for this input.
std::size_t stencilBytes(const ListInput& input, const ListOptions& options);

}  // namespace cellscope
