#include "sim/run/replicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace cellscope {
namespace {

void refuseTooMany(std::size_t n, std::int64_t copies, int dimension) {
  double all = static_cast<double>(n);
  for (int a = 0; a < dimension; ++a) all *= static_cast<double>(copies);
  if (all <= static_cast<double>(kMostReplicated)) return;
  throw InputError(
      fmt::format("replicate: {} copies of {} particles along each of {} axes are {:.3g}; at most "
                  "{} are allowed",
                  copies, n, dimension, all, kMostReplicated));
}

}  // namespace

Configuration replicated(const Configuration& one, std::int64_t copies) {
  const std::size_t n = one.size();
  const int dimension = one.box.dimension;
  refuseTooMany(n, copies, dimension);
  Configuration all;
  all.box = one.box;
  all.species = one.species;
  all.hasDiameters = one.hasDiameters, all.hasMasses = one.hasMasses;
  for (int a = 0; a < dimension; ++a) all.box.length[a] *= static_cast<double>(copies);
  const std::int64_t layers = dimension == 3 ? copies : 1;
  for (std::int64_t k = 0; k < copies * copies * layers; ++k) {
    const std::int64_t cell[3] = {k % copies, k / copies % copies, k / (copies * copies)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const double v =
            one.positions[3 * i + a] + static_cast<double>(cell[a]) * one.box.length[a];
        // The last copy must not be rounded out of the box.
        all.positions.push_back(std::min(v, std::nextafter(all.box.length[a], 0.0)));
      }
    all.types.insert(all.types.end(), one.types.begin(), one.types.end());
    all.velocities.insert(all.velocities.end(), one.velocities.begin(), one.velocities.end());
  }
  all.ids = firstIds(all.positions.size() / 3);
  return all;
}

}  // namespace cellscope
