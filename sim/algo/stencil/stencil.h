// Stencils of a cell list (S1, section 2.1): for each type of particle the cells that may hold
// neighbours, nearest first, with the least distance that a particle in them may have.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/neighbours/particle_record.h"

namespace cellscope {

// All cells within `reach` of a cell, each once in the periodic grid, by distance, then by
// position. None where reach is 0.
std::vector<StencilCell> stencilWithin(const Box& box, const CellGrid& grid, double reach);

// The longest distance between points of a particle's own cell and of each of these, sigma, to the
// nearest image (S1, section 4.1); no less.
std::vector<float> longestDistances(const Box& box, const CellGrid& grid,
                                    const std::vector<StencilCell>& cells);

// The stencils of all types one after the other: those of type t are [first[t], first[t + 1]).
struct Stencils {
  std::vector<StencilCell> cells;
  std::uint32_t first[kMostTypes + 1] = {};
};
Stencils stencilsOf(const Box& box, const CellGrid& grid, const PairTable& table);
// The cells of one stencil, and those around it that are too far away to belong to it, up to where
// it ends along the axes; the nearest first.
std::vector<StencilCell> stencilAndCorners(const Stencils& all, std::uint32_t type, const Box& box,
                                           const CellGrid& grid);

}  // namespace cellscope
