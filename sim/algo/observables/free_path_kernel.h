// Pressure from the free path of each disk, without a fit.
//
// All other disks held fixed, a disk is equally likely anywhere on the stretch of its line along an
// axis in which it touches none. Let the stretch have the length l and end at contacts with disks
// that lie h1 ahead and h2 behind, measured along the axis. The mean virial of the disk along the
// axis is then (h1 + h2) / l, and
//
//   Z = 1 + (1/4) <(h1 + h2) / l  along x  +  (h1 + h2) / l  along y>,
//
// exactly, at any N. It is the line form of the free-volume identity Z = 1 + sigma <s_f / v_f> / 4
// (R. J. Speedy, J. Chem. Soc., Faraday Trans. 2 76, 693 (1980)). Every disk contributes to every
// sample, near contact or not: the noise is a third of that of a fit to counts near contact.
//
// Paths between l and l + dl have the probability l n(l) dl, n(0) > 0: the variance of 1/l
// diverges. Below l0 the inverse is therefore clamped, which omits n(0) l0 / 2; paths below l1, a
// fraction n(0) l1^2 / 2, compensate this with the weight l0 / l1^2. The remaining error is of the
// order of l0 l1 n'(0): 1e-6 of Z in the dense fluid.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/core/checkerboard.h"
#include "sim/core/rounded.h"
#include "sim/exec/atomic.h"

namespace cellscope {

inline constexpr int kFreePathSums = 64;          // partial sums, to reduce contention of atomics
inline constexpr double kFreePathUnit = 1 << 28;  // fixed point: sums do not depend on their order
inline constexpr double kShortestPath = 2e-4, kShortPath = 1e-3;  // l0 and l1

// Weight of a path of length l, instead of 1 / l.
HOST_DEVICE double tamedInverse(double l) {
  const double inverse = 1 / (l > kShortestPath ? l : kShortestPath);
  return l < kShortPath ? inverse + kShortestPath / (kShortPath * kShortPath) : inverse;
}

// One thread per cell. sums[0, kFreePathSums): sum of (h1 + h2) / l; then as many counts of disks.
// Products that round are not fused, so that both backends agree.
struct FreePathCells {
  DiskCellsView cells;
  std::uint64_t* sums;

  HOST_DEVICE void operator()(std::size_t cell) const {
    const int n = cells.count[cell];
    if (n == 0) return;
    const CellIndex at = cellIndex(cells.grid, cell);
    double total = 0;
    for (int i = 0; i < n; ++i) {
      total = total + virial(at, i, false);
      total = total + virial(at, i, true);
    }
    const std::size_t place = cell % kFreePathSums;
    exec::addGlobal(sums + place, static_cast<std::uint64_t>(total * kFreePathUnit + 0.5));
    exec::addGlobal(sums + kFreePathSums + place, static_cast<std::uint64_t>(n));
  }

 private:
  struct Contact {
    double path = -1;  // free path; negative: nothing in the way
    double ahead = 0;  // h, along the axis
  };

  HOST_DEVICE double virial(CellIndex at, int i, bool alongY) const {
    const Contact forward = contact(at, i, alongY, 1), back = contact(at, i, alongY, -1);
    if (forward.path < 0 || back.path < 0) return 0;
    return mulRn(forward.ahead + back.ahead, tamedInverse(forward.path + back.path));
  }

  // First contact of disk i of cell `at` along the axis in the direction `sign`. Visits columns of
  // cells until no disk farther away can be hit first; at most once around the box. Coordinates are
  // multiples of 2^-22: sums, and the square, are exact.
  HOST_DEVICE Contact contact(CellIndex at, int i, bool alongY, int sign) const {
    const GridInfo& g = cells.grid;
    const Vec2 own = cells.disk[g.slot(at.x, at.y, i)];
    const double w = g.w, u = alongY ? own.y : own.x, v = alongY ? own.x : own.y;
    Contact first;
    const int once = alongY ? g.rows() : g.m;  // around the box
    for (int k = 0; k <= once; ++k) {
      for (int row = -1; row <= 1; ++row) {
        const int x = g.wrap(at.x + (alongY ? row : sign * k));
        const int y = g.wrapRow(at.y + (alongY ? sign * k : row));
        const std::size_t cell = g.cell(x, y);
        for (int j = 0; j < cells.count[cell]; ++j) {
          if (row == 0 && j == i && (k == 0 || k == once)) continue;
          const Vec2 other = cells.disk[j * g.cellCount() + cell];
          const double across = (alongY ? other.x : other.y) - v + row * w;
          const double along = sign * ((alongY ? other.y : other.x) - u) + k * w;
          if (along > 0 && fabs(across) < 1) meet(along, across, first);
        }
      }
      const double seen = k * w + (sign > 0 ? w - u : u);  // searched up to here
      if (first.path >= 0 && first.path <= seen - 1) break;
    }
    return first;
  }

  HOST_DEVICE static void meet(double along, double across, Contact& first) {
    if (first.path >= 0 && along - 1 >= first.path) return;  // farther away than the first contact
    const double ahead = sqrt(1 - across * across);
    const double path = along > ahead ? along - ahead : 0;
    if (first.path >= 0 && path >= first.path) return;
    first.path = path;
    first.ahead = ahead;
  }
};

}  // namespace cellscope
