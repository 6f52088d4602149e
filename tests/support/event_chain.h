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
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace cellscope::test {

class EventChains {
 public:
  // Disks in a periodic square of side `length`, at least 4 diameters; xy: 2 n coordinates in
  // [0, length), without overlaps. Throws std::invalid_argument.
  EventChains(double length, const std::vector<double>& xy, double diameter, std::uint64_t seed)
      : length_(length),
        diameter_(diameter),
        m_(static_cast<int>(length / diameter)),
        width_(length / m_),
        cells_(static_cast<std::size_t>(m_ * m_)),
        random_(seed) {
    if (m_ < 4) throw std::invalid_argument("the box is smaller than four diameters");
    for (std::size_t k = 0; k < xy.size(); ++k) {
      if (!(xy[k] >= 0 && xy[k] < length)) throw std::invalid_argument("a disk is outside the box");
      at_[k % 2].push_back(xy[k]);
      cellOf_[k % 2].push_back(std::min(static_cast<int>(xy[k] / width_), m_ - 1));
    }
    if (smallestDistance() < diameter) throw std::invalid_argument("disks overlap");
    for (std::size_t i = 0; i < size(); ++i) add(i);
  }

  // One chain along x (axis 0) or y (axis 1); returns x_final - x_initial.
  double chain(std::size_t axis, double chainLength) {
    std::uniform_int_distribution<int> any(0, static_cast<int>(size()) - 1);
    auto disk = static_cast<std::size_t>(any(random_));
    double left = chainLength, jumps = 0;
    while (true) {
      double& x = at_[axis][disk];
      const Stop stop = nextStop(disk, axis);
      if (left <= stop.path) {
        x += left;
        return chainLength + jumps;
      }
      x += stop.path;
      left -= stop.path;
      if (stop.disk == kFace) {
        remove(disk);
        const int next = cellOf_[axis][disk] = wrap(cellOf_[axis][disk] + 1);
        x = next * width_;
        add(disk);
      } else {
        jumps += stop.ahead;
        disk = stop.disk;
      }
    }
  }
  // P* = beta P, in units of length^-2, from `pairs` chains along x and as many along y.
  double pressure(int pairs, double chainLength) {
    double sum = 0;
    for (int k = 0; k < pairs; ++k) sum += chain(0, chainLength) + chain(1, chainLength);
    return static_cast<double>(size()) / (length_ * length_) * sum / (2 * pairs * chainLength);
  }

  std::size_t size() const { return at_[0].size(); }
  // To the nearest image.
  double distance(std::size_t i, std::size_t j) const {
    return std::hypot(nearest(at_[0][j] - at_[0][i]), nearest(at_[1][j] - at_[1][i]));
  }
  // Over all pairs.
  double smallestDistance() const {
    double smallest = length_;
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < i; ++j) smallest = std::min(smallest, distance(i, j));
    return smallest;
  }
  // psi6_j = mean of exp(6 i theta) over the disks nearer than `radius`, 0 without any.
  struct Order {
    double global = 0;  // |mean of psi6_j|
    double local = 0;   // mean of |psi6_j|
  };
  Order bondOrder(double radius) const {
    std::vector<std::complex<double>> sum(size());
    std::vector<int> neighbours(size(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const std::complex<double> bond(nearest(at_[0][j] - at_[0][i]),
                                        nearest(at_[1][j] - at_[1][i]));
        const double squared = std::norm(bond);
        if (squared >= radius * radius) continue;
        const std::complex<double> cube = bond * bond * bond;
        const std::complex<double> sixth = cube * cube / (squared * squared * squared);
        for (const std::size_t k : {i, j}) {  // the opposite bond has the same sixth power
          sum[k] += sixth;
          ++neighbours[k];
        }
      }
    std::complex<double> mean = 0;
    Order order;
    const auto n = static_cast<double>(size());
    for (std::size_t i = 0; i < size(); ++i) {
      if (neighbours[i] == 0) continue;
      const std::complex<double> psi = sum[i] / static_cast<double>(neighbours[i]);
      mean += psi / n;
      order.local += std::abs(psi) / n;
    }
    order.global = std::abs(mean);
    return order;
  }

 private:
  // In a square of side below 5/4 diameters there is room for four disks.
  struct Cell {
    std::size_t count = 0;
    std::array<std::size_t, 4> disk{};
  };
  static constexpr std::size_t kFace = -1;
  // How far a disk can move, and what then: another disk, its centre `ahead`, or the face of the
  // cell.
  struct Stop {
    double path = 0, ahead = 0;
    std::size_t disk = kFace;
  };
  // Whatever a disk can touch before it leaves its cell lies in the cell's column or the next one,
  // and in its row or those beside.
  Stop nextStop(std::size_t i, std::size_t along) const {
    const std::size_t across = 1 - along;
    const int column = cellOf_[along][i], row = cellOf_[across][i];
    Stop stop;
    stop.path = std::max(0.0, (column + 1) * width_ - at_[along][i]);
    for (int c = column; c <= column + 1; ++c)
      for (int r = row - 1; r <= row + 1; ++r) {
        const Cell& there = cells_[along == 0 ? cell(wrap(c), wrap(r)) : cell(wrap(r), wrap(c))];
        for (std::size_t k = 0; k < there.count; ++k) {
          const std::size_t j = there.disk[k];
          const double ahead = nearest(at_[along][j] - at_[along][i]);
          const double aside = nearest(at_[across][j] - at_[across][i]);
          const double squared = diameter_ * diameter_ - aside * aside;
          if (ahead <= 0 || squared <= 0) continue;  // behind, as is the disk itself, or beside
          const double contact = std::sqrt(squared), path = std::max(0.0, ahead - contact);
          if (path < stop.path) stop = {path, contact, j};
        }
      }
    return stop;
  }
  std::size_t cell(int x, int y) const { return static_cast<std::size_t>(y * m_ + x); }
  int wrap(int c) const { return c < 0 ? c + m_ : c >= m_ ? c - m_ : c; }
  double nearest(double difference) const {
    if (difference > length_ / 2) return difference - length_;
    return difference < -length_ / 2 ? difference + length_ : difference;
  }
  void add(std::size_t disk) {
    Cell& c = cells_[cell(cellOf_[0][disk], cellOf_[1][disk])];
    c.disk.at(c.count++) = disk;
  }
  void remove(std::size_t disk) {
    Cell& c = cells_[cell(cellOf_[0][disk], cellOf_[1][disk])];
    *std::ranges::find(c.disk, disk) = c.disk[--c.count];
  }

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
inline std::vector<double> triangularLattice(int columns, int rows, double length) {
  std::vector<double> xy;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      xy.push_back((c + (r % 2 ? 0.75 : 0.25)) * length / columns);
      xy.push_back((r + 0.5) * length / rows);
    }
  return xy;
}

}  // namespace cellscope::test
