#include "sim/algo/list_check/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.h"

namespace cellscope::list_check {
namespace {

constexpr double kFlat = 1e-10;  // volume of a cell, in products of the lengths of its vectors

double lengthOf(const double* v) { return std::hypot(v[0], v[1], v[2]); }
void cross(const double* a, const double* b, double* to) {
  for (int k = 0; k < 3; ++k)
    to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// A unit vector normal to those that are not zero.
void complete(double (&row)[3][3], int axis) {
  double* const to = row[axis];
  cross(row[(axis + 1) % 3], row[(axis + 2) % 3], to);
  for (int k = 0; k < 3 && !(lengthOf(to) > 0); ++k) {
    const double unit[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    const double* other =
        lengthOf(row[(axis + 1) % 3]) > 0 ? row[(axis + 1) % 3] : row[(axis + 2) % 3];
    if (lengthOf(other) > 0)
      cross(other, unit, to);
    else
      std::copy(unit, unit + 3, to);
  }
  const double length = lengthOf(to);
  for (int k = 0; k < 3; ++k) to[k] /= length;
}

}  // namespace

Lattice::Lattice(const PairList& list) {
  for (int a = 0; a < 3; ++a) {
    periodic[a] = list.periodic[a];
    for (int k = 0; k < 3; ++k) row[a][k] = list.cell[3 * a + k];
  }
  for (int a = 0; a < 3; ++a)
    if (!periodic[a] && lengthOf(row[a]) == 0) complete(row, a);
  double normal[3][3];
  for (int a = 0; a < 3; ++a) cross(row[(a + 1) % 3], row[(a + 2) % 3], normal[a]);
  const double volume =
      row[0][0] * normal[0][0] + row[0][1] * normal[0][1] + row[0][2] * normal[0][2];
  const double most = lengthOf(row[0]) * lengthOf(row[1]) * lengthOf(row[2]);
  if (!(std::abs(volume) > kFlat * most) || !std::isfinite(most))
    throw InputError(fmt::format(
        "'{}': 'cell' spans no volume ({:g}); allowed: three rows that lie in no plane, "
        "or rows of zeros along which pbc is false",
        list.file, volume));
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < 3; ++k) inverse[k][a] = normal[a][k] / volume;
    height[a] = std::abs(volume) / lengthOf(normal[a]);
    tilted[a] = height[a] < lengthOf(row[a]) * (1 - 1e-9);
  }
}

double Lattice::toPlane(Vec3d fraction, const std::int64_t (&cells)[3]) const {
  const double f[3] = {fraction.x, fraction.y, fraction.z};
  double nearest = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const double at = f[a] * static_cast<double>(cells[a]);
    if (periodic[a])
      nearest = std::min(nearest,
                         std::abs(at - std::round(at)) * height[a] / static_cast<double>(cells[a]));
  }
  return nearest;
}

}  // namespace cellscope::list_check
