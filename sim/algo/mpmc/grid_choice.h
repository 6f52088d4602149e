// Choice of the cell grid for N disks at a packing fraction.
#pragma once
#include <cstdint>

#include "sim/core/checkerboard.h"

namespace cellscope {

inline constexpr double kClosePacked = 0.90689968211710892;  // pi / (2 sqrt 3)
inline constexpr std::int32_t kLargestM = 65534;             // cell ids are 32-bit

// Packing fraction N pi / (4 L^2) of N disks of diameter 1 in a box of side L, and its inverse.
double packingOf(std::int64_t disks, double length);
double lengthOf(std::int64_t disks, double packing);

// Side of the periodic box, L = m w; exact in double.
inline double boxLength(const GridInfo& g) { return static_cast<double>(g.m) * g.w; }
inline double packingOf(const GridInfo& g, std::int64_t disks) {
  return packingOf(disks, boxLength(g));
}

// Below this width at most `slots` (4 or 5) disk centres fit into a cell: five need a square of
// side sqrt 2 (S3, figure 3), six one of side 6 / sqrt 13.
double widestCell(int slots);
// Whether v is a multiple of q.
bool onCoordinateGrid(float v);
// Whether an engine can hold such a grid.
bool possibleGrid(const GridInfo& g);

struct GridChoice {
  GridInfo grid;
  double packing = 0;  // realised: w is rounded to the coordinate grid, 1e-7 relative
};

// Smallest even m >= 4 with w = L/m below sqrt 2 (at most four centres fit, S3 fig. 3), w rounded
// to a multiple of q. From 256 cells per side on, m is rounded up to a multiple of 16, from 2048 of
// 64: w stays above 1.3, and the rows of a set begin on whole memory sectors. S3 section 3.1 rounds
// m up to a multiple of 64, which gives w < 1 (missed overlaps) for many L. For L between 5.66 and
// 6 no even m has w in [1, sqrt 2): m = 4 with five slots per cell (w < 1.5). Throws InputError
// for N < 1, a packing outside (0, 0.9069), and L < 4, where four cells of width 1 do not fit:
// names the way out.
GridChoice chooseGrid(std::int64_t disks, double packing);

}  // namespace cellscope
