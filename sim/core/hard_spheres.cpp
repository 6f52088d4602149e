#include "sim/core/hard_spheres.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sim/core/hard_disk_eos.h"

namespace cellscope {
// With s = c t: moments of t^(i + j) (1 + c t)^(d - 1) over 0 <= t < 1.
std::array<double, kContactTerms> contactKernel(int dimension) {
  const double c = kContactReach - 1;
  const std::array<double, 3> weight =
      dimension == 3 ? std::array{1.0, 2 * c, c * c} : std::array{1.0, c, 0.0};
  std::vector moments(kContactTerms, std::vector<double>(kContactTerms));
  for (int i = 0; i < kContactTerms; ++i)
    for (int j = 0; j < kContactTerms; ++j)
      for (int p = 0; p < 3; ++p) moments[i][j] += weight[p] / (i + j + p + 1);
  std::vector<double> right(kContactTerms);
  right[0] = 1 / c;
  const std::vector<double> x = solved(std::move(moments), std::move(right));
  std::array<double, kContactTerms> k{};
  for (int i = 0; i < kContactTerms; ++i) k[i] = x[i] / std::pow(c, i);
  return k;
}

FluidState hardSphereFluid(double density) {
  const double eta = std::numbers::pi / 6 * density, rest = 1 - eta;
  const double z = (1 + eta + eta * eta - eta * eta * eta) / (rest * rest * rest);
  const double excess =
      (8 * eta - 9 * eta * eta + 3 * eta * eta * eta) / (rest * rest * rest);  // mu_ex / T
  return {density * z, 0, excess};
}

double hardSphereCrystalPressure(double density) {
  constexpr double a = 0.5921, b = 0.7072, c = 0.601;
  const double z = density / std::numbers::sqrt2;
  return density * (3 / (1 - z) - a * (z - b) / (z - c));
}

}  // namespace cellscope
