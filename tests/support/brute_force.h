// Measurements on disks by looking at every pair in double precision: the oracle of the tests.
#pragma once
#include <complex>
#include <cstdint>
#include <vector>

namespace cellscope::test {

// n disks in a periodic box of side `length` along x.
struct PlainDisks {
  double length = 0;
  std::vector<double> xy;  // 2 n
  double height = 0;       // along y; 0: a square
  double side(std::size_t axis) const { return axis == 1 && height > 0 ? height : length; }
  std::size_t size() const { return xy.size() / 2; }
  // Vector from disk i to the nearest image of disk j.
  std::complex<double> between(std::size_t i, std::size_t j) const;
};

// Ordered pairs per bin [first + k width, first + (k + 1) width).
std::vector<std::uint64_t> brutePairs(const PlainDisks& disks, double first, double width,
                                      int count);
// Disks per bin of x = 1 - 1/r, r the distance of the nearest other disk.
std::vector<std::uint64_t> bruteScale(const PlainDisks& disks, double width, int count);

// Sum over disks and both axes of (h1 + h2) / l: l the stretch along the axis in which the disk
// touches none, h1 and h2 how far ahead lie the disks at its ends. Below l = 1e-3 as in
// sim/algo/observables/free_path_kernel.h.
double bruteFreePaths(const PlainDisks& disks);

struct BruteBonds {
  std::complex<double> psi6;
  int neighbours = 0;
  double density = 0;
};
// Neighbours at a distance below `radius`.
BruteBonds bruteWithinRadius(const PlainDisks& disks, std::size_t i, double radius);
// The Voronoi cell of disk i cut from a large square by the bisectors of all disks and images;
// neighbours share an edge longer than 1e-5 of their distance.
BruteBonds bruteVoronoi(const PlainDisks& disks, std::size_t i);

}  // namespace cellscope::test
