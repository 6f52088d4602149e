// Columns: the order of particles in which those that follow each other are close together in all
// directions, so that a few of them form a compact cluster. The box is divided into square columns
// about as wide as a cube that holds a cluster; along its column a particle is sorted into bins a
// quarter as high. Columns are numbered to and fro, and so are the bins, from column to column:
// a cluster that reaches from the end of one column into the next one is compact as well, and no
// cluster needs to be filled up.
#pragma once
#include <cmath>

#include "sim/algo/neighbours/particle_record.h"

namespace cellscope {

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
