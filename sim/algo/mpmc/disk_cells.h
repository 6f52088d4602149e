// Disk cells on the host: conversion from and to positions.
#pragma once
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "sim/algo/mpmc/engine.h"
#include "sim/base/box.h"

namespace cellscope {

// Host cells without a disk: every slot kEmptySlot and kNoId. padding: as of DiskCells.
DiskCells emptyCells(const GridInfo& grid, std::size_t padding = 0);

// Bin disks: xy = 2 n coordinates in the box, upper faces included, ids = n. Positions are rounded
// to the coordinate grid (2^-22) and wrapped. Within a cell, disks keep the order of the input.
// Throws InputError for a position that is not finite or outside the box, RunError when a cell
// overflows (only possible with overlapping disks): both name the disk.
DiskCells fillCells(const GridInfo& grid, std::span<const double> xy,
                    std::span<const std::uint32_t> ids);

// Positions in the box, exact, sorted by id.
struct DiskPositions {
  std::vector<double> xy;          // 2 n
  std::vector<std::uint32_t> ids;  // n
};
DiskPositions positionsOf(const DiskCells& host);

// Copies cells from the memory of `from` to that of `to`.
DiskCells copyOfCells(const DiskCellsView& view, Backend from, Backend to);

// In the memory of `from` and of `to`; complete on return.
void copyRows(const RowCopy& rows, Backend from, Backend to, std::size_t slots);

// Whether the slots of a cell are enough for any configuration without overlap: four disks below a
// width of sqrt 2 (of five in a square, two lie in the same quarter), five below 1.5 (S3, fig. 3;
// six need 1.66). Distances may be too short by 6e-8, which 4 q make up for.
inline bool slotsSuffice(const GridInfo& grid) {
  const double widest = grid.slots < 5 ? std::numbers::sqrt2 - 4 * kCoordinateQuantum : 1.5;
  return static_cast<double>(grid.w) <= widest;
}

// Throws InputError where a GPU cannot move so many cells: its kernels number slots with 32 bits.
void refuseManySlots(const GridInfo& grid);

// Error message for a cell that overflowed; `action` names the operation.
std::string overflowMessage(const GridInfo& grid, std::size_t cell, const char* action);

// Choice of the cell grid for N disks at a packing fraction.
inline constexpr double kClosePacked = 0.90689968211710892;  // pi / (2 sqrt 3)
inline constexpr std::int32_t kLargestM = 65534;             // cell ids are 32-bit

// Rows of cells over columns, in whole numbers without a common divisor: the sides of the box over
// each other, as cells are squares.
struct GridShape {
  std::int32_t x = 1, y = 1;
  double aspect() const { return static_cast<double>(y) / x; }
  friend bool operator==(const GridShape&, const GridShape&) = default;
};
inline constexpr std::int32_t kLargestShape = 20;  // of these numbers
// That of a ratio of sides, to `within`; throws InputError with `what` and the nearest ones
// otherwise.
GridShape shapeOfAspect(double aspect, double within, const std::string& what);
inline GridShape shapeOf(const GridInfo& g) {
  const std::int32_t common = std::gcd(g.m, g.allRows());
  return {g.m / common, g.allRows() / common};
}

// Packing fraction N pi / (4 L_x L_y) of N disks of diameter 1 in a box of side L_x, and its
// inverse.
inline double packingOf(std::int64_t disks, double length, GridShape shape = {}) {
  return static_cast<double>(disks) * std::numbers::pi / 4.0 / (length * length * shape.aspect());
}
inline double lengthOf(std::int64_t disks, double packing, GridShape shape = {}) {
  return std::sqrt(static_cast<double>(disks) * std::numbers::pi / 4.0 / packing / shape.aspect());
}

// Side along x of the periodic box, L_x = m w; exact in double.
inline double boxLength(const GridInfo& g) { return static_cast<double>(g.m) * g.w; }
inline Box boxOf(const GridInfo& g) {
  return {2, {boxLength(g), static_cast<double>(g.allRows()) * g.w, 1}};
}
inline double packingOf(const GridInfo& g, std::int64_t disks) {
  return packingOf(disks, boxLength(g), shapeOf(g));
}
// Columns of grids of a shape are multiples of the first number, so that there are even numbers of
// columns and rows, and not fewer than the second one: then there is a grid with w in [1, 1.5] for
// every box that is larger, as a box passes through when it is compressed.
inline std::int32_t columnStep(GridShape shape) { return 2 * shape.x; }
inline std::int32_t fewestColumns(GridShape shape) { return 2 * columnStep(shape); }
inline GridInfo gridOf(std::int32_t columns, std::int32_t slots, float w, GridShape shape) {
  GridInfo g{columns, slots, w};
  g.taller = columns / shape.x * shape.y - columns;
  return g;
}

// Below this width at most `slots` (4 or 5) disk centres fit into a cell: five need a square of
// side sqrt 2 (S3, figure 3), six one of side 6 / sqrt 13.
inline double widestCell(int slots) {
  return slots == 4 ? std::numbers::sqrt2 : 6.0 / std::sqrt(13.0);
}
// Whether v is a multiple of q.
inline bool onCoordinateGrid(float v) {
  const double quanta = static_cast<double>(v) * kQuantaPerLength;
  return quanta == std::floor(quanta);
}
// Whether an engine can hold such a grid.
bool possibleGrid(const GridInfo& g);

struct GridChoice {
  GridInfo grid;
  double packing = 0;  // realised: w is rounded to the coordinate grid, 1e-7 relative
};

// Smallest even m >= 4 with w = L/m below sqrt 2 (at most four centres fit, S3 fig. 3), w rounded
// to a multiple of q. From 256 cells per side on, m is rounded up to a multiple of 16, from 2048 of
// 64, where the shape allows it: w stays above 1.3, and the rows of a set begin on whole memory
// sectors. S3 section 3.1 rounds m up to a multiple of 64, which gives w < 1 (missed overlaps) for
// many L. For L between 5.66 and 6 no even m has w in [1, sqrt 2): m = 4 with five slots per cell
// (w < 1.5). Throws InputError for N < 1, a packing outside (0, 0.9069), and L < 4, where four
// cells of width 1 do not fit, or a box in which no grid of another shape does: names the way out.
GridChoice chooseGrid(std::int64_t disks, double packing, GridShape shape = {});

}  // namespace cellscope
