// Kernels of observables of disks: psi6, and the pressure from free paths.
#pragma once
#include "sim/algo/observables/disk_observables.h"
#include "sim/algo/observables/near_points.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// --- Team kernel for psi6: the threads of a team list the disks of as many cells, then process one
// disk each, so that no thread idles on an empty slot. ---

inline constexpr int kBondThreads = 128;             // cells per team
inline constexpr float kFixedPoint = 1073741824.0f;  // 2^30: sums of psi6 are sums of integers
// Local densities are clamped to this: nearly ten times the closest packing without overlaps,
// and its square fits into 64 bits.
inline constexpr float kMostDensity = 11.0f;

// Sums over disks, in units of 2^-30 where not counts.
struct BondSums {
  std::uint64_t re, im, modulus;          // re and im: two's complement
  std::uint64_t density, densitySquared;  // of the local number density
  std::uint64_t byNeighbours[16];
};
inline constexpr std::size_t kBondSumWords = sizeof(BondSums) / sizeof(std::uint64_t);
inline constexpr std::size_t kBondTotals = kBondSumWords - 16;  // before byNeighbours

// All disks within `reach` cells of a disk, in the order of the cells, read from memory. Offsets
// larger than the grid reach periodic images, the disk's own included.
struct CellPoints {
  DiskCellsView cells;
  CellIndex at;
  Vec2 centre;
  std::int32_t own;  // slot of the disk in its cell
  std::int32_t reach;

  HOST_DEVICE void visit(auto& v) const {
    const GridInfo& grid = cells.grid;
    std::int64_t key = 0;
    for (int ox = -reach; ox <= reach; ++ox) {
      const int column = grid.column(grid.wrapFar(at.x + ox));
      const float shiftX = mulRn(static_cast<float>(ox), grid.w);
      for (int oy = -reach; oy <= reach; ++oy, key += kMaxSlots) {
        const std::size_t cell =
            static_cast<std::size_t>(grid.wrapFarRow(at.y + oy)) * grid.m + column;
        const int n = cells.count[cell];
        const float shiftY = mulRn(static_cast<float>(oy), grid.w);
        for (int j = 0; j < n; ++j) {
          if (ox == 0 && oy == 0 && j == own) continue;
          const Vec2 p = cells.disk[j * grid.cellCount() + cell];
          v(Vec2{addRn(subRn(p.x, centre.x), shiftX), addRn(subRn(p.y, centre.y), shiftY)},
            key + j);
        }
      }
    }
  }
};

// Visitor: sums over the disks within a radius.
struct RadiusNeighbours {
  float limit;
  Vec2 psi6 = {0, 0};
  std::int32_t neighbours = 0;
  HOST_DEVICE explicit RadiusNeighbours(float squaredRadius) : limit(squaredRadius) {}
  HOST_DEVICE void operator()(Vec2 b, std::int64_t) {
    const float d2 = dotRn(b, b);
    if (!(d2 > 0 && d2 < limit)) return;
    const Vec2 z = sixfold(b);
    psi6 = {addRn(psi6.x, z.x), addRn(psi6.y, z.y)};
    neighbours += 1;
  }
};

// Adds up what all threads of a warp bring first: 64-bit additions to the same shared word wait for
// each other. All of them take part.
HOST_DEVICE void addOfWarp(std::uint64_t* p, std::uint64_t v) {
#ifdef __CUDA_ARCH__
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(~0u, v, step);
  if (threadIdx.x % 32 != 0) return;
#endif
  exec::addShared(p, v);
}

struct DiskBonds {
  Vec2 psi6;  // mean over the neighbours
  std::int32_t neighbours;
  float density;
};

template <NeighbourRule Rule>
struct BondOrderTeam {
  struct Shared {
    std::uint32_t disks;
    std::uint32_t slot[kBondThreads * kMaxSlots];  // slot * kBondThreads + cell of the team
    std::uint64_t totals[kBondTotals];             // as in BondSums
    std::uint32_t byNeighbours[16];
  };
  struct Private {};

  DiskCellsView cells;
  BondOrderView out;
  BondSums* sums;
  float radius;        // Voronoi: first look within this distance; else the neighbour radius
  std::int32_t reach;  // cells to either side that hold all disks within `radius`

  HOST_DEVICE int phases(int) const { return 4; }

  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&) const {
    const std::size_t first = static_cast<std::size_t>(team) * kBondThreads;
    if (p == 0) return clear(thread, s);
    if (p == 1) return list(first, thread, s);
    if (p == 2) return measure(first, thread, s);
    auto* to = reinterpret_cast<std::uint64_t*>(sums);
    for (std::size_t k = thread; k < kBondSumWords; k += kBondThreads) {
      const std::uint64_t sum = k < kBondTotals ? s.totals[k] : s.byNeighbours[k - kBondTotals];
      if (sum) exec::addGlobal(to + k, sum);
    }
  }

 private:
  HOST_DEVICE void clear(int thread, Shared& s) const {
    if (thread == 0) s.disks = 0;
    for (std::size_t k = thread; k < kBondTotals; k += kBondThreads) s.totals[k] = 0;
    for (int k = thread; k < 16; k += kBondThreads) s.byNeighbours[k] = 0;
  }

  // The order in the list does not matter: every result goes to its own slot or into integers.
  HOST_DEVICE void list(std::size_t first, int thread, Shared& s) const {
    const std::size_t cell = first + thread;
    if (cell >= cells.grid.cellCount()) return;
    const std::uint32_t n = cells.count[cell];
    const std::uint32_t begin = exec::addShared(&s.disks, n);
    for (std::uint32_t i = 0; i < n; ++i) s.slot[begin + i] = i * kBondThreads + thread;
    for (int i = static_cast<int>(n); i < cells.grid.slots; ++i)
      store(i * cells.grid.cellCount() + cell, {{0, 0}, 0, 0});
  }

  HOST_DEVICE void measure(std::size_t first, int thread, Shared& s) const {
    std::uint64_t mine[kBondTotals] = {};
    for (std::uint32_t k = thread; k < s.disks; k += kBondThreads) {
      const std::uint32_t inCell = s.slot[k] / kBondThreads;
      const std::size_t cell = first + s.slot[k] % kBondThreads;
      const std::size_t slot = inCell * cells.grid.cellCount() + cell;
      const CellPoints around{cells, cellIndex(cells.grid, cell), cells.disk[slot],
                              static_cast<std::int32_t>(inCell), reach};
      const DiskBonds bonds = bondsOf(around);
      store(slot, bonds);
      add(bonds, mine, s);
    }
    for (std::size_t k = 0; k < kBondTotals; ++k) addOfWarp(s.totals + k, mine[k]);
  }

  // mine: in the order of BondSums.
  HOST_DEVICE void add(const DiskBonds& b, std::uint64_t* mine, Shared& s) const {
    mine[0] += static_cast<std::uint64_t>(static_cast<std::int64_t>(b.psi6.x * kFixedPoint));
    mine[1] += static_cast<std::uint64_t>(static_cast<std::int64_t>(b.psi6.y * kFixedPoint));
    mine[2] += static_cast<std::uint64_t>(sqrtRn(dotRn(b.psi6, b.psi6)) * kFixedPoint);
    const float density = b.density < kMostDensity ? b.density : kMostDensity;
    // In units of 2^-28, which loses nothing of a float and leaves room for its square.
    const auto fixed = static_cast<std::uint64_t>(density * (0.25f * kFixedPoint));
    mine[3] += 4 * fixed;
    mine[4] += (fixed * fixed) >> 26;
    exec::addShared(&s.byNeighbours[b.neighbours < 15 ? b.neighbours : 15], 1u);
  }

  HOST_DEVICE void store(std::size_t slot, const DiskBonds& b) const {
    if (out.psi6) out.psi6[slot] = b.psi6;
    if (out.neighbours) out.neighbours[slot] = static_cast<std::uint8_t>(b.neighbours);
    if (out.density) out.density[slot] = b.density;
  }

  HOST_DEVICE DiskBonds bondsOf(const CellPoints& around) const {
    if constexpr (Rule == NeighbourRule::withinRadius) {
      RadiusNeighbours found(mulRn(radius, radius));
      around.visit(found);
      const float area = mulRn(3.14159274f, mulRn(radius, radius));
      const float n = static_cast<float>(found.neighbours);
      return {mean(found.psi6, found.neighbours), found.neighbours, divRn(n + 1.0f, area)};
    } else {
      const VoronoiCell cell = voronoi(around);
      return {mean(cell.psi6, cell.neighbours), cell.neighbours,
              cell.area > 0 ? divRn(1.0f, cell.area) : 0.0f};
    }
  }

  // First from a list of the near disks; rarely, for a large Voronoi cell, from a longer list, or
  // without one.
  HOST_DEVICE VoronoiCell voronoi(CellPoints around) const {
    float searched = radius;
    for (int attempt = 0; attempt < 2; ++attempt) {
      NearPoints near(mulRn(searched, searched));
      around.visit(near);
      if (near.overflow) break;
      const VoronoiCell cell = voronoiCell(near);
      if (complete(cell, searched)) return cell;
      searched = mulRn(1.5f, radius);
      around.reach = static_cast<int>(searched / cells.grid.w) + 1;
    }
    return searchFarther(around);
  }

  HOST_DEVICE bool complete(const VoronoiCell& cell, float searched) const {
    return cell.closed && 4.0f * cell.farthest <= searched * searched;
  }

  // Everything within growing squares of cells.
  HOST_DEVICE VoronoiCell searchFarther(CellPoints around) const {
    const GridInfo& grid = cells.grid;
    const int longest = grid.m > grid.rows() ? grid.m : grid.rows();
    for (;; around.reach += 1 + around.reach / 2) {
      const VoronoiCell cell = voronoiCell(around);
      const float searched = static_cast<float>(around.reach) * cells.grid.w;
      if (complete(cell, searched) || around.reach > 2 * longest) return cell;
    }
  }

  HOST_DEVICE Vec2 mean(Vec2 sum, int n) const {
    if (n == 0) return {0, 0};
    return {divRn(sum.x, static_cast<float>(n)), divRn(sum.y, static_cast<float>(n))};
  }
};

// --- Pressure from the free path of each disk, without a fit. ---
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
