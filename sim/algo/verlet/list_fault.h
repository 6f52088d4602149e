// Faults that are put into neighbour lists on purpose: a finished list loses what a search with
// that mistake would not have found. The search itself, its cells and its trees stay as they are.
#pragma once
#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/neighbours/list.h"
#include "sim/algo/neighbours/list_search.h"

namespace cellscope {

// Rows, each by itself. Cells are those of gridFor(), no narrower than the reach.
struct SpoilList {
  ListView list;
  const ParticleRecord* particles;  // by slot, that the list was built from
  const std::uint32_t* tag;
  CellGrid grid;
  RecordBox box;
  ListFault fault;
  std::uint32_t particle;  // by its tag

  // How many cells b is after a along x, modulo their number.
  HOST_DEVICE std::int32_t after(std::uint32_t a, std::uint32_t b) const {
    const std::int32_t n = grid.cells[0];
    return (grid.along(particles[b].x, 0) - grid.along(particles[a].x, 0) + n) % n;
  }
  // Of a particle that is taken for one in the next cell.
  HOST_DEVICE bool tooFar(std::uint32_t misplaced, std::uint32_t other) const {
    const std::int32_t n = grid.cells[0], apart = (after(misplaced, other) - 1 + n) % n;
    return apart > 1 && apart < n - 1;
  }
  HOST_DEVICE bool lost(std::uint32_t i, std::uint32_t j, std::uint32_t nearest) const {
    if (fault == ListFault::dropPair) return j == nearest;
    if (fault == ListFault::shortStencil) return grid.cells[0] > 2 && after(i, j) == 1;
    return (tag[i] == particle && tooFar(i, j)) || (tag[j] == particle && tooFar(j, i));
  }
  HOST_DEVICE void operator()(std::size_t row) const {
    const auto i = static_cast<std::uint32_t>(row);
    if (!list.own(i)) return;
    std::uint32_t* const items = list.items + list.head[i];
    const std::uint32_t count = list.count[i];
    std::uint32_t nearest = ~0u, kept = 0;
    if (fault == ListFault::dropPair && tag[i] == particle) {
      float least = 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        const float r2 = box.distanceSquared(particles[i], particles[items[k]]);
        if (k == 0 || r2 < least) least = r2, nearest = items[k];
      }
    }
    for (std::uint32_t k = 0; k < count; ++k)
      if (!lost(i, items[k], nearest)) items[kept++] = items[k];
    list.count[i] = kept;
  }
};

}  // namespace cellscope
