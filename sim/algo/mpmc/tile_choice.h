// Division of a small grid into tiles for the resident CUDA kernel (tile.cuh), and their margins.
// Results do not depend on it.
#pragma once
#include <algorithm>

#include "sim/core/checkerboard.h"

namespace cellscope::mpmc {

// Capacity of a thread block.
inline constexpr int kTileActive = 152;  // active cells of a region in one sub-sweep, at most
inline constexpr int kTileCells = 800;   // of a region (a tile with its margin), at most
inline constexpr int kTileSlots = 1152;  // most slots of these in shared memory
inline constexpr int kTileSide = 64;     // cells per side of a region, at most
inline constexpr int kTileLeast = 6;     // cells per side of a tile: margins end in the next tile
inline constexpr int kMarginSide = 10;   // margin of both sides together, with rounding to pairs

// In shared memory the odd columns of a row begin this far after the even ones, which need
// `pairs` slots: 8 more than a multiple of 16, so that disks of 8 bytes in even and odd columns,
// and in neighbouring rows, lie in different banks (32 of 4 bytes).
HOST_DEVICE int bankStride(int slots) { return (slots + 7) / 16 * 16 + 8; }
HOST_DEVICE int rowStride(int pairs) { return bankStride(bankStride(pairs) + pairs); }

struct TileCount {
  int x = 0, y = 0;  // zero: the grid cannot be cut
  bool possible() const { return x > 0; }
};

// Most active cells of a tile of w x h cells (both even) with its margin in one sub-sweep. On the
// way back from the shift, which needs one cell more on one side, each of three sub-sweeps can
// widen the region by a cell on every side; along one axis only two of them can, because two
// sub-sweeps that alternate along both axes would be of the same set.
inline int mostActive(int w, int h) {
  const int x = w / 2, y = h / 2;
  return std::max({(x + 4) * (y + 2), (x + 3) * (y + 3), (x + 2) * (y + 4)});
}

// Tiles along x and y of a grid, at most `blocks`: those with the smallest regions.
inline TileCount chooseTiles(int columns, int rows, int blocks) {
  const auto most = [](int cells) { return std::max(1, cells / kTileLeast); };
  const int halfX = columns / 2, halfY = rows / 2;
  TileCount best;
  int smallest = kTileCells + 1;
  for (int nx = 1; nx <= most(columns); ++nx)
    for (int ny = 1; ny <= most(rows) && nx * ny <= blocks; ++ny) {
      // Tiles are whole pairs of columns and of rows wide; the widest counts.
      const int w = 2 * ((halfX + nx - 1) / nx), h = 2 * ((halfY + ny - 1) / ny);
      const int thinnest = 2 * std::min(halfX / nx, halfY / ny);
      const int region = (w + kMarginSide) * (h + kMarginSide);
      const int slots = rowStride((w + kMarginSide) / 2) * (h + kMarginSide);
      const bool fits = std::max(w, h) + kMarginSide <= kTileSide && region < smallest &&
                        slots <= kTileSlots && mostActive(w, h) <= kTileActive;
      if (!fits || (nx * ny > 1 && thinnest < kTileLeast)) continue;
      smallest = region;
      best = {nx, ny};
    }
  return best;
}

// Cells [lo, hi) of one axis; may reach beyond the grid on either side.
struct Span {
  int lo, hi;
  HOST_DEVICE bool holds(int v) const { return v >= lo && v < hi; }
};

// A sub-sweep changes the cells of one parity per axis and reads one cell around them: what has to
// be right before it, when `needed` has to be right after it.
HOST_DEVICE Span neededBefore(Span needed, int parity) {
  return {needed.lo - ((needed.lo & 1) == parity), needed.hi + (((needed.hi - 1) & 1) == parity)};
}

// The margins of a tile (x, y) in a sweep, going back from the shift: see(k, x, y) gets the cells
// that have to be right after sub-sweep k, for k = 3 to 0. Leaves in x and y the whole region.
HOST_DEVICE void goThroughMargins(const SweepSchedule& s, Span& x, Span& y, auto&& see) {
  Span& along = s.shift.direction >= 2 ? y : x;
  const int back = s.shift.direction & 1;
  along.lo -= back;
  along.hi += 1 - back;
  for (int k = 3; k >= 0; --k) {
    see(k, x, y);
    x = neededBefore(x, s.set[k] & 1);
    y = neededBefore(y, s.set[k] >> 1);
  }
}

// The cells of one set in x and y: number i is column i mod nx, row i / nx.
struct ActiveCells {
  std::int32_t x, y, nx, total, set;
};

HOST_DEVICE ActiveCells activeCells(int set, Span x, Span y) {
  ActiveCells a;
  a.x = x.lo + ((x.lo ^ set) & 1);
  a.y = y.lo + ((y.lo ^ (set >> 1)) & 1);
  a.nx = (x.hi - a.x + 1) >> 1;
  a.total = a.nx * ((y.hi - a.y + 1) >> 1);
  a.set = set;
  return a;
}

}  // namespace cellscope::mpmc
