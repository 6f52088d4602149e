// Verlet lists from a standard cell list: cells no narrower than the longest reach, the particles
// in the order of their cells, and for each particle the 27 cells around it (nine in 2D).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/algo/neighbours/builder.h"
#include "sim/algo/neighbours/cell_grid.h"
#include "sim/base/backend.h"

namespace cellscope {

class CellListBuilder : public ListBuilder {
 public:
  // The cells of the last build: their grid, and the first particle of each in the order of the
  // cells, with one entry more, in the memory of the backend.
  virtual const CellGrid& grid() const = 0;
  virtual const std::uint32_t* first() const = 0;
};

std::unique_ptr<ListBuilder> makeCellListCpu(const exec::Shared& exec, const ListOptions& options);
// In builds with CUDA only.
std::unique_ptr<ListBuilder> makeCellListCuda(const exec::Shared& exec, const ListOptions& options);

// Of the arrays for this input.
std::size_t cellListBytes(const ListInput& input, const ListOptions& options);

}  // namespace cellscope
