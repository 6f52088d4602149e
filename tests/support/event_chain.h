// Straight event-chain Monte Carlo of hard disks (E. P. Bernard, W. Krauth and D. B. Wilson, Phys.
// Rev. E 80, 056704 (2009)), and what the tests measure on its disks. A second opinion on the
// engine: it includes nothing of it and shares no formula, cell list or random number with it.
//
// A chain starts at a disk drawn at random and goes along +x or +y. The disk moves until it touches
// another one, which then moves on in its place, until the displacements add up to the length l of
// the chain. Nothing is rejected.
//
// Pressure. When disk i hits disk j, the chain jumps from the centre of i to that of j, ahead by
// h = x_j - x_i > 0; hence x_final - x_initial = l + sum of h. All along the chain the
// configuration is in equilibrium with the moving disk anywhere in it: chains keep the uniform
// distribution. So in the next dl the moving disk hits one whose centre lies between y and y + dy
// aside with the probability rho g(sigma+) dy dl, at h = sqrt(sigma^2 - y^2), and
//
//   <x_final - x_initial> / l = 1 + rho g(sigma+) Integral_{-sigma}^{sigma} sqrt(sigma^2 - y^2) dy
//                             = 1 + (pi / 2) rho sigma^2 g(sigma+) = beta P / rho,
//
// the last step being the virial theorem. Where contacts depend on the direction, as in a crystal
// strained by its box, chains along x give P_xx and those along y P_yy, and beta P is the mean of
// both. Exact for any l and, with the contact value of the N disks, for any N (M. Michel, S. C.
// Kapfer and W. Krauth, J. Chem. Phys. 140, 054116 (2014)).
#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace cellscope::test {

class EventChains {
 public:
  // Disks in a periodic square of side `length`, at least 4 diameters; xy: 2 n coordinates in
  // [0, length), without overlaps. Throws std::invalid_argument.
  EventChains(double length, const std::vector<double>& xy, double diameter, std::uint64_t seed);

  // One chain along x (axis 0) or y (axis 1); returns x_final - x_initial.
  double chain(int axis, double chainLength);
  // P* = beta P, in units of length^-2, from `pairs` chains along x and as many along y.
  double pressure(int pairs, double chainLength);

  std::size_t size() const { return at_[0].size(); }
  double distance(std::size_t i, std::size_t j) const;  // to the nearest image
  double smallestDistance() const;                      // over all pairs
  // psi6_j = mean of exp(6 i theta) over the disks nearer than `radius`, 0 without any.
  struct Order {
    double global = 0;  // |mean of psi6_j|
    double local = 0;   // mean of |psi6_j|
  };
  Order bondOrder(double radius) const;

 private:
  // In a square of side below 5/4 diameters there is room for four disks.
  struct Cell {
    int count = 0;
    std::array<int, 4> disk{};
  };
  // How far a disk can move, and what then: another disk, its centre `ahead`, or, with disk = -1,
  // the face of the cell.
  struct Stop {
    double path = 0, ahead = 0;
    int disk = -1;
  };
  Stop nextStop(int disk, int axis) const;
  void enterNextCell(int disk, int axis);
  Cell& cell(int x, int y) { return cells_[static_cast<std::size_t>(y * m_ + x)]; }
  const Cell& cell(int x, int y) const { return cells_[static_cast<std::size_t>(y * m_ + x)]; }
  int wrap(int c) const { return c < 0 ? c + m_ : c >= m_ ? c - m_ : c; }
  double nearest(double difference) const;
  void add(int disk);
  void remove(int disk);

  double length_, diameter_;
  int m_;         // cells per side
  double width_;  // of a cell, diameter or more
  std::array<std::vector<double>, 2> at_;
  std::array<std::vector<int>, 2> cellOf_;
  std::vector<Cell> cells_;
  std::mt19937_64 random_;
};

// A triangular lattice with rows along x, strained to fill the square; rows even. Without strain
// columns / rows would be sqrt(3) / 2.
std::vector<double> triangularLattice(int columns, int rows, double length);

}  // namespace cellscope::test
