// A grid of equal cells over a periodic box, no narrower than a given reach, from which the
// particles within that reach of a point are found in the cells next to it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/algo/neighbours/particle_record.h"

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

}  // namespace cellscope
