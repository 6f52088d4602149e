#include "sim/modes/md/start.h"

#include <cmath>
#include <numbers>

#include "sim/core/assert.h"
#include "sim/core/rng.h"

namespace cellscope::md {
namespace {

std::int64_t cellsPerSide(std::int64_t n) {
  std::int64_t k = 1;
  while (4 * k * k * k < n) ++k;
  return k;
}

// Two independent normal deviates (Box and Muller).
void normalPair(const Random4& r, double& a, double& b) {
  const double radius = std::sqrt(-2.0 * std::log(uniformOpen(r.w[0], r.w[1])));
  const double angle = 2.0 * std::numbers::pi * uniformOpen(r.w[2], r.w[3]);
  a = radius * std::cos(angle);
  b = radius * std::sin(angle);
}

}  // namespace

std::int64_t fccSites(std::int64_t n) {
  const std::int64_t k = cellsPerSide(n);
  return 4 * k * k * k;
}

std::vector<Vec3d> fccLattice(std::int64_t n, double length) {
  static constexpr double kBasis[4][3] = {
      {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
  const std::int64_t k = cellsPerSide(n), sites = fccSites(n);
  const double a = length / static_cast<double>(k);
  std::vector<Vec3d> r(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t site = i * sites / n, cell = site / 4;
    const double* b = kBasis[site % 4];
    r[static_cast<std::size_t>(i)] = {a * (static_cast<double>(cell % k) + b[0]),
                                      a * (static_cast<double>(cell / k % k) + b[1]),
                                      a * (static_cast<double>(cell / (k * k)) + b[2])};
  }
  return r;
}

std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed) {
  CELLSCOPE_ASSERT(n >= 2);
  const RngKey key = hashSeed(seed);
  std::vector<Vec3d> v(static_cast<std::size_t>(n));
  Vec3d mean{0, 0, 0};
  double unused = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    const Random4 first = draw(key, RngPurpose::initialVelocities, 0, id, 0);
    const Random4 second = draw(key, RngPurpose::initialVelocities, 0, id, 1);
    normalPair(first, v[i].x, v[i].y);
    normalPair(second, v[i].z, unused);
    mean = {mean.x + v[i].x, mean.y + v[i].y, mean.z + v[i].z};
  }
  const auto count = static_cast<double>(n);
  double square = 0;
  for (Vec3d& u : v) {
    u = {u.x - mean.x / count, u.y - mean.y / count, u.z - mean.z / count};
    square += u.x * u.x + u.y * u.y + u.z * u.z;
  }
  const double scale = std::sqrt(3.0 * (count - 1.0) * temperature / square);
  for (Vec3d& u : v) u = {scale * u.x, scale * u.y, scale * u.z};
  return v;
}

}  // namespace cellscope::md
