// Checkerboard cell grid of S3: geometry, memory layout, and the rules both backends must share
// bit for bit.
//
// Fixed grid of coordinates. Every cell-local coordinate, the cell width w, the shift d and every
// trial displacement is a multiple of q = 2^-22 (sigma = 1). Values stay below 4, so each fits a
// float exactly, and additions and subtractions have no rounding error. Three things follow:
// a cell shift moves all disks rigidly and cannot lose one (S3, section 3.2, fights the rounding
// of this step); a pair has the same difference vector seen from either cell; and the proposal
// distribution is exactly symmetric, so detailed balance holds exactly on the grid. The price is a
// packing fraction realised to about 1e-7 relative.
#pragma once
#include <cstddef>

#include "sim/core/rounded.h"

namespace cellscope {

inline constexpr double kQuantaPerLength = 4194304.0;           // 1 / q = 2^22
inline constexpr float kCoordinateQuantum = 1.0f / 4194304.0f;  // q
inline constexpr int kCoordinateBits = 22;                      // binary digits after the point
inline constexpr float kEmptySlot = -10.0f;                     // S3: far from any disk
inline constexpr int kMaxSlots = 5;  // n_max; 4 unless m = 4 forces w >= sqrt 2

// Geometry of a grid of m columns and allRows() rows of square cells of width w, `taller` rows more
// than columns (even; below 0: fewer), 0 as in S3; L = m w. `slots` is n_max of S3.
//
// Or a strip of it, some of its rows in memory (domains.h): `cut` rows fewer than all, of which the
// first one is row `first` of the grid, and the first and last `halo` are copies of rows of the
// neighbouring strips. All three are even. In a strip y counts its rows.
struct GridInfo {
  std::int32_t m = 0;
  std::int32_t slots = 4;
  float w = 0;
  std::int32_t cut = 0, first = 0, halo = 0;
  std::int32_t taller = 0;

  bool operator==(const GridInfo&) const = default;
  HOST_DEVICE int allRows() const { return m + taller; }
  HOST_DEVICE int rows() const { return allRows() - cut; }
  HOST_DEVICE bool owns(int y) const { return y >= halo && y < rows() - halo; }
  // Rows 2 k and 2 k + 1, k in [firstPair(), endPair()), take part in a sub-sweep: of a strip those
  // with rows on both sides.
  HOST_DEVICE int firstPair() const { return halo > 0 ? 1 : 0; }
  HOST_DEVICE int endPair() const { return rows() / 2 - firstPair(); }
  HOST_DEVICE std::size_t cellCount() const { return static_cast<std::size_t>(m) * rows(); }
  HOST_DEVICE std::size_t slotCount() const { return cellCount() * slots; }
  // Column in memory: even x first, then odd x (S3, Algorithm 3), so that the cells of one
  // checkerboard set are contiguous in a row.
  HOST_DEVICE int column(int x) const { return (x & 1) ? (x + m) >> 1 : x >> 1; }
  // Position of cell (x, y) in per-cell arrays.
  HOST_DEVICE std::size_t cell(int x, int y) const {
    return static_cast<std::size_t>(y) * m + column(x);
  }
  // Position of slot i of cell (x, y) in per-slot arrays: ((i m) + y) m + column (Algorithm 3).
  HOST_DEVICE std::size_t slot(int x, int y, int i) const {
    return static_cast<std::size_t>(i) * cellCount() + cell(x, y);
  }
  // Number used as random-number id; independent of the memory layout.
  HOST_DEVICE std::uint32_t id(int x, int y) const {
    const int row = y + first, all = allRows();
    return static_cast<std::uint32_t>(row >= all ? row - all : row) *
               static_cast<std::uint32_t>(m) +
           static_cast<std::uint32_t>(x);
  }
  // Cell at most m beyond a border; wrapFar: at any distance (small grids go round more than once).
  HOST_DEVICE int wrap(int x) const { return x < 0 ? x + m : (x >= m ? x - m : x); }
  // The same for rows in memory.
  HOST_DEVICE int wrapRow(int y) const {
    return y < 0 ? y + rows() : (y >= rows() ? y - rows() : y);
  }
  HOST_DEVICE int wrapFar(int x) const {
    while (x < 0) x += m;
    while (x >= m) x -= m;
    return x;
  }
  // The same for rows of the whole grid.
  HOST_DEVICE int wrapFarRow(int y) const {
    while (y < 0) y += allRows();
    while (y >= allRows()) y -= allRows();
    return y;
  }
  HOST_DEVICE int shorter() const { return taller < 0 ? allRows() : m; }  // columns or rows
};

// Checkerboard set of a cell, S3 eq. (1): a = 0, b = 1 (x odd), c = 2 (y odd), d = 3.
HOST_DEVICE int checkerboardSet(int x, int y) { return (x & 1) | ((y & 1) << 1); }

// Non-owning view of the cell-list storage. disk and id: slotCount() entries, count: cellCount().
// Coordinates are cell-local in [0, w). Unused slots hold kEmptySlot in both coordinates. moved:
// per cell, bit i set when the disk of slot i has had its move of this sweep; null unless disks may
// leave their cell and move once (MpmcExperiments::marksMoved).
struct DiskCellsView {
  GridInfo grid;
  Vec2* disk;
  std::uint32_t* id;
  std::uint8_t* count;
  std::uint8_t* moved = nullptr;
};

// Cells that lie one after another, a row or several: slot i of cell c is at i * stride + c, its
// count at c.
struct CellRow {
  Vec2* disk;
  std::uint32_t* id;
  std::uint8_t* count;
  std::size_t stride;
};

// From row y on.
HOST_DEVICE CellRow rowOf(const DiskCellsView& cells, int y) {
  const std::size_t first = cells.grid.cell(0, y);
  return {cells.disk + first, cells.id + first, cells.count + first, cells.grid.cellCount()};
}

// Border number i of n parts along m cells: even, so that a part holds whole pairs.
HOST_DEVICE int evenBorder(int m, int n, int i) { return 2 * (m / 2 * i / n); }

// Rows that a domain has copies of on either side (sim/algo/mpmc/domains.h).
inline constexpr int kHaloRows = 6;
// As few as one sub-sweep looks at: too few for a sweep (MpmcExperiments::staleHalo), which is of
// two domains at least.
inline constexpr int kStaleHaloRows = 2, kStaleDomains = 2;

// The half-open ownership rule, used wherever a disk's cell is decided.
HOST_DEVICE bool insideCell(float x, float y, float w) {
  return x >= 0.0f && x < w && y >= 0.0f && y < w;
}

// Squared distance with each operation rounded on its own: no fused multiply-add on any backend.
HOST_DEVICE float distanceSquared(float dx, float dy) {
  return addRn(mulRn(dx, dx), mulRn(dy, dy));
}

// Overlap of two disks of diameter 1. Touching disks (distance exactly 1) do not overlap.
HOST_DEVICE bool overlaps(float dx, float dy) { return distanceSquared(dx, dy) < 1.0f; }

// Trial moves. A candidate word holds two signed 16-bit halves; (h + 1/2) / 32768 is uniform in
// the square (-1, 1)^2. Words whose point lies outside the unit circle are rejected and the next
// word of the stream is used (uniform in the disk, S3 Algorithm 2 line 12).
HOST_DEVICE float candidateX(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int16_t>(word & 0xffffu)) + 0.5f;
}
HOST_DEVICE float candidateY(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int16_t>(word >> 16)) + 0.5f;
}
// (h + 1/2)^2 + (g + 1/2)^2 < 32768^2 in integers: no rounding on any backend.
HOST_DEVICE bool candidateInCircle(std::uint32_t word) {
  const std::int32_t h = static_cast<std::int16_t>(word & 0xffffu);
  const std::int32_t g = static_cast<std::int16_t>(word >> 16);
  return h * h + h + g * g + g < (1 << 30);
}
// Displacement on the coordinate grid; `scale` = float(d / 32768). Adding and subtracting 3 rounds
// to a multiple of 2^-22 (values in [2, 4) have that spacing), symmetrically about zero.
HOST_DEVICE float displacement(float half, float scale) {
  return subRn(addRn(mulRn(half, scale), 3.0f), 3.0f);
}

// Random words of one cell update: w[0] of block 0 decides the particle shuffle, all further words
// are trial-move candidates in stream order. Key: purpose cellUpdate, step = sweep, id = grid.id.

// Fisher-Yates permutation of n <= kMaxSlots slots from one word; order[s] is the slot visited
// s-th. Each draw is the high part of a product whose low part feeds the next one.
HOST_DEVICE void shuffleSlots(std::uint32_t word, int n, int* order) {
  for (int i = 0; i < n; ++i) order[i] = i;
  std::uint64_t rest = word;
  for (int i = n - 1; i > 0; --i) {
    const std::uint64_t product = (rest & 0xffffffffull) * static_cast<std::uint32_t>(i + 1);
    const int j = static_cast<int>(product >> 32);
    rest = product;
    const int t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

// One cell shift: direction 0 = +x, 1 = -x, 2 = +y, 3 = -y; length d in [0, w/2), a multiple of q.
// Cell boundaries move by d along the direction; disks therefore move by -d in local coordinates
// (S3, Algorithm 4, line 9). rounding: the experiment shiftBits, 2^-shiftBits; 0: exact.
struct CellShift {
  std::int32_t direction;
  float d;
  float rounding = 0;
};

// Schedule of one sweep: the order of the checkerboard sets and the shift that ends it.
struct SweepSchedule {
  std::uint8_t set[4];
  CellShift shift;
};

// Experiments of S3, sections 2.4 and 3.2, that break the sampling on purpose. Off in every correct
// run.
struct MpmcExperiments {
  bool noParticleShuffle = false;
  bool noSetShuffle = false;
  bool leaveCell = false;
  bool noCellShift = false;
  // Every disk of an active cell is tried once instead of n_M trials of the cell. With leaveCell
  // the scheme that S3, section 2.4, warns of: no disk is tried twice in a sweep, wherever it goes.
  bool moveOnce = false;
  // Binary digits of a coordinate that a cell shift carries into the next cell (S3, section 3.2).
  std::int64_t shiftBits = kCoordinateBits;
  // Halos of domains are exchanged once a sweep and not after each of its sub-sweeps
  // (sim/algo/mpmc/domains.h). Not together with leaveCell, which is of one domain.
  bool staleHalo = false;

  HOST_DEVICE bool roundsShift() const { return shiftBits < kCoordinateBits; }
  HOST_DEVICE bool mayOverlap() const { return leaveCell || roundsShift() || staleHalo; }
  HOST_DEVICE bool marksMoved() const { return leaveCell && moveOnce; }
  HOST_DEVICE float shiftRounding() const {
    return roundsShift() ? 1.0f / static_cast<float>(1 << shiftBits) : 0.0f;
  }
};

// What a sweep needs besides the disks. d: largest trial move; nMoves: n_M of S3.
struct MpmcParameters {
  std::uint64_t seed = 1;
  float d = 0.16f;
  std::int32_t nMoves = 4;
  MpmcExperiments experiments;
};

// Trial moves per checkerboard set since the last reset. Only cells that hold a disk attempt.
struct MpmcCounters {
  std::uint64_t attempted[4] = {};
  std::uint64_t accepted[4] = {};
  std::uint64_t overlap[4] = {};   // rejected: would overlap
  std::uint64_t leftCell[4] = {};  // rejected: centre would leave the cell (checked first)

  MpmcCounters& operator+=(const MpmcCounters& more) { return add(more, 1); }
  friend MpmcCounters operator+(MpmcCounters a, const MpmcCounters& b) { return a += b; }
  friend MpmcCounters operator-(MpmcCounters a, const MpmcCounters& b) {
    return a.add(b, ~std::uint64_t{0});  // -1, as unsigned numbers wrap round
  }

 private:
  MpmcCounters& add(const MpmcCounters& more, std::uint64_t times) {
    for (int s = 0; s < 4; ++s) {
      attempted[s] += times * more.attempted[s];
      accepted[s] += times * more.accepted[s];
      overlap[s] += times * more.overlap[s];
      leftCell[s] += times * more.leftCell[s];
    }
    return *this;
  }
};

// From positions in memory back to cells of the grid.

// Logical x of a column in memory (inverse of GridInfo::column).
HOST_DEVICE int columnToX(const GridInfo& grid, int column) {
  const int half = grid.m >> 1;
  return column < half ? 2 * column : 2 * (column - half) + 1;
}

struct CellIndex {
  int x, y;
};
// Cell at position `cell` of per-cell arrays.
HOST_DEVICE CellIndex cellIndex(const GridInfo& grid, std::size_t cell) {
  const auto m = static_cast<std::uint32_t>(grid.m);
  const std::uint32_t y = static_cast<std::uint32_t>(cell) / m;
  return {columnToX(grid, static_cast<int>(static_cast<std::uint32_t>(cell) - y * m)),
          static_cast<int>(y)};
}

// Where a moving grid lies in its box. The picture stays fixed while the grid moves: the origin of
// cell (0, 0) is the sum of all cell shifts, modulo the sides. All values are multiples of q below
// 2^40 q, so that every operation in double is exact.
struct GridPlacement {
  double originX = 0, originY = 0;  // in the box
  double w = 1, length[2] = {4, 4};

  HOST_DEVICE double wrap(double v, int axis) const {
    return v >= length[axis] ? v - length[axis] : v;
  }
  HOST_DEVICE double globalX(int x, float local) const {
    return wrap(wrap(static_cast<double>(x) * w + static_cast<double>(local), 0) + originX, 0);
  }
  HOST_DEVICE double globalY(int y, float local) const {
    return wrap(wrap(static_cast<double>(y) * w + static_cast<double>(local), 1) + originY, 1);
  }
};

}  // namespace cellscope
