#include "sim/modes/gcmc/start.h"

#include <fmt/format.h>

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

std::size_t cellsAcross(const Basis& basis, int dimension, std::size_t n) {
  std::size_t side = 1;
  while (basis.size() * side * side * (dimension == 3 ? side : 1) < n) ++side;
  return side;
}

[[noreturn]] void refuseOverlap(const Box& box, std::size_t n) {
  const auto closest = static_cast<std::size_t>(
      box.dimension == 3 ? std::floor(box.shortest() / std::numbers::sqrt2) : 0);
  const auto square = static_cast<std::size_t>(std::floor(box.shortest()));
  const std::size_t most = box.dimension == 3
                               ? std::max(4 * closest * closest * closest, square * square * square)
                               : square * square;
  throw InputError(
      fmt::format("density: {} hard spheres overlap on the starting lattice; at most {}, a density "
                  "of {:.4g}, fit into a box of side {:g}",
                  n, most, static_cast<double>(most) / box.volume(), box.shortest()));
}

const Basis& basisFor(const Box& box, std::size_t n) {
  const auto apart = [&](const Basis& basis, double nearest) {
    return box.shortest() / static_cast<double>(cellsAcross(basis, box.dimension, n)) * nearest > 1;
  };
  if (apart(kSimple, 1)) return kSimple;
  if (box.dimension == 3 && apart(kFaceCentred, std::numbers::sqrt2 / 2)) return kFaceCentred;
  refuseOverlap(box, n);
}

}  // namespace

GcmcState latticeState(const Box& box, std::size_t n, bool hard) {
  GcmcState s;
  s.box = box;
  const Basis& basis = hard ? basisFor(box, n) : kSimple;
  const std::size_t side = cellsAcross(basis, box.dimension, n);
  const std::size_t sites = basis.size() * side * side * (box.dimension == 3 ? side : 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t site = i * sites / n, cell = site / basis.size();
    const auto at = [&](std::size_t index, int axis) {
      const double within = basis[site % basis.size()][static_cast<std::size_t>(axis)];
      return (static_cast<double>(index) + within) * box.length[axis] / static_cast<double>(side);
    };
    s.point.push_back(gcmcPointAt(box, {at(cell % side, 0), at(cell / side % side, 1),
                                        box.dimension == 3 ? at(cell / side / side, 2) : 0.0}));
  }
  s.id = firstIds(n);
  s.idBase = static_cast<ParticleId>(n);
  return s;
}

}  // namespace cellscope::gcmc
