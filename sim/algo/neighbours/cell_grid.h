// A grid of equal cells over a periodic box, no narrower than a given reach, from which the
// particles within that reach of a point are found in the cells next to it; slots in the order of
// its cells; and columns.
#pragma once
#include <cmath>

#include "sim/algo/neighbours/list.h"

namespace cellscope {

struct CellGrid {
  std::int32_t cells[3] = {1, 1, 1};  // along each axis; x runs fastest
  float perLength[3] = {0, 0, 0};     // cells per sigma

  HOST_DEVICE std::int32_t count() const { return cells[0] * cells[1] * cells[2]; }
  HOST_DEVICE std::int32_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return x + cells[0] * (y + cells[1] * z);
  }
  // Of a coordinate in the box. Rounding may put it into the next cell, by less than the margin of
  // gridFor().
  HOST_DEVICE std::int32_t along(float x, int axis) const {
    const auto c = static_cast<std::int32_t>(x * perLength[axis]);
    return c < cells[axis] ? c : cells[axis] - 1;
  }
  HOST_DEVICE std::int32_t indexOf(const ParticleRecord& p) const {
    return index(along(p.x, 0), along(p.y, 1), along(p.z, 2));
  }
};

// A cell relative to the particle's own, and the least distance between points of the two;
// negative: nobody looks at it.
struct alignas(16) StencilCell {
  std::int32_t x, y, z;
  float distance;  // sigma
};

// As many cells as fit, at most about `most` in all.
inline CellGrid gridFor(const Box& box, double reach, std::size_t most) {
  CellGrid grid;
  const double bound = std::pow(box.volume() / static_cast<double>(std::max<std::size_t>(most, 1)),
                                1.0 / box.dimension);
  const double width = std::max(reach * (1.0 + 1e-5), bound);
  for (int a = 0; a < box.dimension; ++a) {
    const double fits = width > 0 ? std::floor(box.length[a] / width) : 1.0;
    grid.cells[a] = static_cast<std::int32_t>(std::clamp(fits, 1.0, 4096.0));
    grid.perLength[a] = static_cast<float>(grid.cells[a] / box.length[a]);
  }
  return grid;
}

// The cells next to cell c along an axis of n, each once: c - 1, c, c + 1 where there are three.
// first..last may lie outside [0, n) by one; wrapped() brings them back.
struct CellSpan {
  std::int32_t first, last;
};
HOST_DEVICE CellSpan cellSpan(std::int32_t c, std::int32_t n) {
  if (n < 3) return {0, n - 1};
  return {c - 1, c + 1};
}
HOST_DEVICE std::int32_t wrappedCell(std::int32_t c, std::int32_t n) {
  return c < 0 ? c + n : (c >= n ? c - n : c);
}

// Slots in the order of the cells of a grid, or of the bins of columns, where these are sorted by
// counting: how many particles each cell has, where its first one comes, and each slot to its
// place.
//
// All arrays lie in the memory of the backend. Within a cell slots follow each other by x, which
// gives parts of a cell that are searched together smaller boxes, and by number where x is the
// same; with keys of 32 bits by number alone. The order depends on nothing but the records.
//
// Records: now() are n records by slot, when it is sorted.
template <class Grid, class Records, class Key = std::uint64_t>
struct CellOrder {
  Records record;
  Grid grid;
  std::uint32_t* first;  // out: the first of each cell in this order, and one entry more
  std::uint32_t* slot;   // out: n
  std::uint32_t* cell;   // n: of each slot
  Key* unsorted;         // n: slots of each cell in any order, with x in the upper half
  SlotRanges some = {};  // that are sorted
  ParticleRecord* sorted = nullptr;  // out: n records in this order, where they are wanted
};

struct RecordsBySlot {
  const ParticleRecord* all;
  HOST_DEVICE const ParticleRecord* now() const { return all; }
};

// Cells of each of several types, or of all together.
struct TypedCells {
  CellGrid grid;
  std::uint32_t types;
  HOST_DEVICE std::uint32_t count() const {
    return types * static_cast<std::uint32_t>(grid.count());
  }
  HOST_DEVICE std::uint32_t indexOf(const ParticleRecord& p) const {
    const auto cell = static_cast<std::uint32_t>(grid.indexOf(p));
    return types > 1 ? p.type * static_cast<std::uint32_t>(grid.count()) + cell : cell;
  }
};

// Columns: the order of particles in which those that follow each other are close together in all
// directions, so that a few of them form a compact cluster. The box is divided into square columns
// about as wide as a cube that holds a cluster; along its column a particle is sorted into bins a
// quarter as high. Columns are numbered to and fro, and so are the bins, from column to column:
// a cluster that reaches from the end of one column into the next one is compact as well, and no
// cluster needs to be filled up.
//
// Particles that share a list.
inline constexpr std::uint32_t kClusterSize = 4;

// Coordinates with the direction of the columns last: x, y, z; in the plane x, z (which is 0), y.
struct ColumnPoint {
  float at[3];
  std::uint32_t type;
};

struct ColumnGrid {
  std::int32_t cells[3] = {1, 1, 1};  // columns across, and bins along them
  float perLength[3] = {0, 0, 0};
  float width[3] = {1, 1, 1};                           // of cells
  float length[3] = {1, 1, 1}, inverse[3] = {0, 0, 0};  // of the box; 0 where there is no axis
  std::int32_t dimension = 3;

  HOST_DEVICE ColumnPoint point(const ParticleRecord& p) const {
    return dimension == 3 ? ColumnPoint{{p.x, p.y, p.z}, p.type}
                          : ColumnPoint{{p.x, p.z, p.y}, p.type};
  }
  HOST_DEVICE std::int32_t count() const { return cells[0] * cells[1] * cells[2]; }
  HOST_DEVICE std::int32_t along(float x, int axis) const {
    const auto c = static_cast<std::int32_t>(x * perLength[axis]);
    return c < cells[axis] ? c : cells[axis] - 1;
  }
  HOST_DEVICE std::int32_t index(std::int32_t x, std::int32_t y, std::int32_t bin) const {
    const std::int32_t column = x * cells[1] + ((x & 1) != 0 ? cells[1] - 1 - y : y);
    return column * cells[2] + ((column & 1) != 0 ? cells[2] - 1 - bin : bin);
  }
  HOST_DEVICE std::int32_t indexOf(const ParticleRecord& p) const {
    const ColumnPoint q = point(p);
    return index(along(q.at[0], 0), along(q.at[1], 1), along(q.at[2], 2));
  }
};

// For clusters of n particles at uniform density.
inline ColumnGrid columnGridFor(const Box& box, std::size_t n) {
  constexpr double kBinsPerSide = 4;
  ColumnGrid grid;
  grid.dimension = box.dimension;
  const double particles = static_cast<double>(std::max<std::size_t>(n, 1));
  const double side = std::pow(kClusterSize * box.volume() / particles, 1.0 / box.dimension);
  const RecordBox rounded(box);
  for (int a = 0; a < 3; ++a) {
    const int axis = box.dimension == 3 ? a : (a == 0 ? 0 : 3 - a);
    grid.length[a] = rounded.length[axis], grid.inverse[a] = rounded.inverse[axis];
    if (axis >= box.dimension) continue;
    const double cells = box.length[axis] / side * (a == 2 ? kBinsPerSide : 1.0);
    grid.cells[a] = static_cast<std::int32_t>(std::clamp(std::round(cells), 1.0, 65536.0));
    grid.perLength[a] = static_cast<float>(grid.cells[a] / box.length[axis]);
    grid.width[a] = static_cast<float>(box.length[axis] / grid.cells[a]);
  }
  return grid;
}

}  // namespace cellscope
