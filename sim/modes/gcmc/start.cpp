#include "sim/modes/gcmc/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/api/configuration.h"
#include "sim/base/error.h"

namespace cellscope::gcmc {
namespace {

// Particles of a cubic (or square) cell, in cell sides.
using Basis = std::vector<std::array<double, 3>>;
const Basis kSimple = {{0.5, 0.5, 0.5}};
const Basis kFaceCentred = {
    {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};

// Cells along each axis: one more where they are widest, until there is room for n.
struct Cells {
  std::size_t along[3] = {1, 1, 1};
  std::size_t count() const { return along[0] * along[1] * along[2]; }
  double width(const Box& box, int axis) const {
    return box.length[axis] / static_cast<double>(along[axis]);
  }
};
Cells cellsFor(const Basis& basis, const Box& box, std::size_t n) {
  constexpr double kAlike = 1 + 1e-12;
  Cells c;
  while (basis.size() * c.count() < n) {
    double widest = 0;
    for (int k = 0; k < box.dimension; ++k) widest = std::max(widest, c.width(box, k));
    for (int k = 0; k < box.dimension; ++k)
      if (c.width(box, k) * kAlike >= widest) ++c.along[k];
  }
  return c;
}

[[noreturn]] void refuseOverlap(const Box& box, std::size_t n) {
  const auto cellsOf = [&](double width) {
    double all = 1;
    for (int k = 0; k < box.dimension; ++k) all *= std::floor(box.length[k] / width);
    return all;
  };
  const double most =
      box.dimension == 3 ? std::max(4 * cellsOf(std::numbers::sqrt2), cellsOf(1)) : cellsOf(1);
  throw InputError(
      fmt::format("density: {} hard spheres overlap on the starting lattice; at most {}, a density "
                  "of {:.4g}, fit into a box of {}",
                  n, most, most / box.volume(), shortestSideInWords(box)));
}

// Neighbours of a face-centred cubic lattice are half a diagonal of a face apart.
const Basis& basisFor(const Box& box, std::size_t n) {
  const Cells simple = cellsFor(kSimple, box, n), centred = cellsFor(kFaceCentred, box, n);
  double nearest = box.shortest(), diagonal = nearest;
  for (int k = 0; k < box.dimension; ++k) {
    nearest = std::min(nearest, simple.width(box, k));
    for (int j = 0; j < k; ++j)
      diagonal = std::min(diagonal, 0.5 * std::hypot(centred.width(box, j), centred.width(box, k)));
  }
  if (nearest > 1) return kSimple;
  if (box.dimension == 3 && diagonal > 1) return kFaceCentred;
  refuseOverlap(box, n);
}

}  // namespace

GcmcState latticeState(const Box& box, std::size_t n, bool hard) {
  GcmcState s;
  s.box = box;
  const Basis& basis = hard ? basisFor(box, n) : kSimple;
  const Cells cells = cellsFor(basis, box, n);
  const std::size_t sites = basis.size() * cells.count();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t site = i * sites / n, cell = site / basis.size();
    const auto at = [&](std::size_t index, int axis) {
      const double within = basis[site % basis.size()][static_cast<std::size_t>(axis)];
      return (static_cast<double>(index) + within) * box.length[axis] /
             static_cast<double>(cells.along[axis]);
    };
    const std::size_t* const k = cells.along;
    s.point.push_back(gcmcPointAt(box, {at(cell % k[0], 0), at(cell / k[0] % k[1], 1),
                                        box.dimension == 3 ? at(cell / k[0] / k[1], 2) : 0.0}));
  }
  s.id = firstIds(n);
  s.idBase = static_cast<ParticleId>(n);
  return s;
}

}  // namespace cellscope::gcmc
