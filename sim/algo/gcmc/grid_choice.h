// Which cells suit a box and a cutoff.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/grid.h"
#include "sim/base/box.h"

namespace cellscope {

// Traditional cells (S0, 3.2.2): as many as there can be of width S >= r_cut, at least three along
// each axis (S = L / 3 when L < 3 r_cut: the neighbours are the whole box then).
GcmcCube gcmcCells(const Box& box, const GcmcPair& pair);

// Microcells (S0, 3.3) of width w = L / floor(L) >= sigma, instead of sigma with a thin last one
// that would leave pairs across it out of reach; 2 ceil(r_cut / w) + 1 of them along each axis of
// the cube, or all there are.
GcmcCube gcmcMicrocells(const Box& box, const GcmcPair& pair);

// Cells of the checkerboard (board.h): an even number along each axis, as many as there can be of
// width S >= r_cut. Throws InputError where there are not four. part < 1, wrong on purpose: of a
// width of at least that part of the cutoff.
GcmcCube gcmcBoardCells(const Box& box, const GcmcPair& pair, double part = 1);

// GcmcGrid::edge of a cube.
std::vector<std::uint32_t> gcmcEdges(const GcmcCube& cube);

}  // namespace cellscope
