// Team kernels that count pair distances: one thread per cell, histograms private to a team.
#pragma once
#include <cstdint>

#include "sim/core/checkerboard.h"
#include "sim/core/radial_bins.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// The disks of one cell, kept in registers while its neighbourhood is traversed.
struct OwnDisks {
  static constexpr std::int64_t kFar = INT64_MAX;
  int count;
  Vec2 disk[kMaxSlots];
  std::int64_t nearest[kMaxSlots];  // smallest squared distance found, in q^2
};

inline constexpr std::uint32_t kPutOff = 512;  // pairs that a team defers to bin them together

// WithNearest: also count each disk once, in the bin of its nearest neighbour's compression; the
// whole neighbourhood must then be visited. Otherwise only the half of it that comes later.
template <bool WithNearest>
struct PairTeam {
  struct Shared {
    std::uint32_t disks;
    std::uint32_t pairs[kMaxRadialBins];
    std::uint32_t scale[WithNearest ? kMaxRadialBins : 1];
    std::uint32_t found;  // deferred pairs; may exceed the capacity
    std::int64_t square[WithNearest ? kPutOff : 1];
  };
  struct Private {};

  DiskCellsView cells;
  RadialBinning pairBins;
  const std::int64_t* pairEdge;
  std::uint64_t* pairs;
  ScaleBinning scaleBins;
  const std::int64_t* scaleEdge;
  std::uint64_t* scale;
  std::uint64_t* disks;
  float limit;         // squared distances above this are not computed exactly
  std::int32_t reach;  // cells to either side that can hold a partner
  std::int32_t teams, threads;

  HOST_DEVICE int phases(int) const { return 4; }

  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private&) const {
    if (p == 0) return clear(thread, s);
    if (p == 2) return binPutOff(thread, s);
    if (p == 3) return flush(thread, s);
    const std::size_t stride = static_cast<std::size_t>(teams) * threads;
    const std::size_t first = static_cast<std::size_t>(team) * threads + thread;
    for (std::size_t c = first; c < cells.grid.cellCount(); c += stride) countCell(c, s);
  }

 private:
  HOST_DEVICE void clear(int thread, Shared& s) const {
    if (thread == 0) s.disks = s.found = 0;
    for (int b = thread; b < pairBins.count; b += threads) s.pairs[b] = 0;
    if constexpr (WithNearest)
      for (int b = thread; b < scaleBins.count; b += threads) s.scale[b] = 0;
  }

  HOST_DEVICE void flush(int thread, const Shared& s) const {
    if (thread == 0 && s.disks) exec::addGlobal(disks, s.disks);
    for (int b = thread; b < pairBins.count; b += threads)
      if (s.pairs[b]) exec::addGlobal(pairs + b, s.pairs[b]);
    if constexpr (WithNearest)
      for (int b = thread; b < scaleBins.count; b += threads)
        if (s.scale[b]) exec::addGlobal(scale + b, s.scale[b]);
  }

  HOST_DEVICE void countCell(std::size_t cell, Shared& s) const {
    OwnDisks own;
    own.count = cells.count[cell];
    if (own.count == 0) return;
    for (int i = 0; i < kMaxSlots; ++i) {
      if (i < own.count) own.disk[i] = cells.disk[i * cells.grid.cellCount() + cell];
      own.nearest[i] = OwnDisks::kFar;
    }
    exec::addShared(&s.disks, static_cast<std::uint32_t>(own.count));
    const CellIndex at = cellIndex(cells.grid, cell);
    for (int oy = WithNearest ? -reach : 0; oy <= reach; ++oy)
      for (int ox = WithNearest || oy > 0 ? -reach : 0; ox <= reach; ++ox)
        visitCell(at, ox, oy, own, s);
    if constexpr (WithNearest)
      for (int i = 0; i < kMaxSlots; ++i) {
        if (i >= own.count) break;
        const int b = scaleBins.bin(own.nearest[i], scaleEdge);
        if (b >= 0) exec::addShared(s.scale + b, 1u);
      }
  }

  HOST_DEVICE void visitCell(CellIndex at, int ox, int oy, OwnDisks& own, Shared& s) const {
    const GridInfo& grid = cells.grid;
    const std::size_t cell = grid.cell(grid.wrap(at.x + ox), grid.wrapRow(at.y + oy));
    const int n = cells.count[cell];
    const float shiftX = static_cast<float>(ox) * grid.w, shiftY = static_cast<float>(oy) * grid.w;
    const bool later = oy > 0 || (oy == 0 && ox > 0);
    const bool same = ox == 0 && oy == 0;
    for (int j = 0; j < n; ++j) {
      const Vec2 other = cells.disk[j * grid.cellCount() + cell];
      for (int i = 0; i < kMaxSlots; ++i) {
        if (i >= own.count) break;
        const float dx = other.x - own.disk[i].x + shiftX, dy = other.y - own.disk[i].y + shiftY;
        if (!(dx * dx + dy * dy < limit) || (same && i == j)) continue;
        const std::int64_t d2 = exactSquare(own.disk[i], other, ox, oy);
        if constexpr (WithNearest)
          if (d2 < own.nearest[i]) own.nearest[i] = d2;
        if (!later && !(same && j > i)) continue;
        if (!putOff(d2, s)) binPair(d2, s);
      }
    }
  }

  HOST_DEVICE void binPair(std::int64_t d2, Shared& s) const {
    const int b = pairBins.bin(d2, pairEdge);
    if (b >= 0) exec::addShared(s.pairs + b, 2u);  // ordered: the pair from either end
  }

  // Pairs near contact are rare: binning them immediately would cause divergence.
  HOST_DEVICE bool putOff(std::int64_t d2, Shared& s) const {
    if constexpr (!WithNearest) return false;
    const std::uint32_t slot = exec::addShared(&s.found, 1u);
    if (slot >= kPutOff) return false;
    s.square[slot] = d2;
    return true;
  }
  HOST_DEVICE void binPutOff(int thread, Shared& s) const {
    const std::uint32_t n = s.found < kPutOff ? s.found : kPutOff;
    for (std::uint32_t k = thread; k < n; k += threads) binPair(s.square[k], s);
  }

  HOST_DEVICE std::int64_t exactSquare(Vec2 from, Vec2 to, int ox, int oy) const {
    const std::int32_t w = quanta(cells.grid.w);
    return squaredQuanta(quanta(to.x) - quanta(from.x) + ox * w,
                         quanta(to.y) - quanta(from.y) + oy * w);
  }
};

}  // namespace cellscope
