// Positions of a new state of hard disks in a periodic box, sigma = 1.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {

// columns x rows lattice sites, strained to fit the box; sites - n of them stay empty.
struct LatticeShape {
  std::int64_t columns = 0, rows = 0;
  bool hexagonal = false;
  double aspect = 1;  // side y over side x
  // Smallest side x without overlap.
  double smallestLength() const;
  double largestPacking(std::int64_t n) const;
};

// Shape for n disks: the nearest square, or the triangular lattice (even rows, odd rows moved by
// half a spacing) that can be packed most densely in a box of that ratio of sides.
LatticeShape latticeShape(DiskStart start, std::int64_t n, double aspect = 1);

// Positions x0, y0, x1, y1, ... of n disks in a box of side x `length`; vacancies are spread
// evenly.
std::vector<double> latticePositions(const LatticeShape& shape, std::int64_t n, double length);

// Largest packing at which random insertion of n disks is fast; the rest is compression.
double randomStartPacking(std::int64_t n);

// Random sequential insertion: draws candidates for each disk until one does not overlap. Serial,
// hence independent of the thread count. Throws InputError when a disk cannot be inserted. `placed`
// is called with the number of disks every few thousand.
std::vector<double> randomPositions(std::int64_t n, const Box& box, std::uint64_t seed,
                                    const std::function<void(std::int64_t)>& placed = {});

inline std::vector<double> randomPositions(std::int64_t n, double side, std::uint64_t seed) {
  return randomPositions(n, squareBox(side), seed);
}

// Checks the parameters before anything is allocated. Throws InputError, naming what to change.
void checkPossible(std::int64_t n, double packing, DiskStart start, GridShape shape = {});

}  // namespace cellscope
