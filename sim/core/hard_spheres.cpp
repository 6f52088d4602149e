#include "sim/core/hard_spheres.h"

#include <cmath>
#include <numbers>

namespace cellscope {
namespace {

constexpr int kTerms = kContactTerms;
using Moments = std::array<std::array<double, kTerms + 1>, kTerms>;

// Gauss without pivots: moment matrices are positive definite.
std::array<double, kTerms> solved(Moments m) {
  for (int i = 0; i < kTerms; ++i)
    for (int row = i + 1; row < kTerms; ++row) {
      const double part = m[row][i] / m[i][i];
      for (int k = i; k <= kTerms; ++k) m[row][k] -= part * m[i][k];
    }
  std::array<double, kTerms> x{};
  for (int i = kTerms - 1; i >= 0; --i) {
    x[i] = m[i][kTerms];
    for (int k = i + 1; k < kTerms; ++k) x[i] -= m[i][k] * x[k];
    x[i] /= m[i][i];
  }
  return x;
}

}  // namespace

// With s = c t: moments of t^(i + j) (1 + c t)^(d - 1) over 0 <= t < 1.
std::array<double, kContactTerms> contactKernel(int dimension) {
  const double c = kContactReach - 1;
  const std::array<double, 3> weight =
      dimension == 3 ? std::array{1.0, 2 * c, c * c} : std::array{1.0, c, 0.0};
  Moments m{};
  for (int i = 0; i < kTerms; ++i)
    for (int j = 0; j < kTerms; ++j)
      for (int p = 0; p < 3; ++p) m[i][j] += weight[p] / (i + j + p + 1);
  m[0][kTerms] = 1 / c;
  std::array<double, kTerms> k = solved(m);
  for (int i = 0; i < kTerms; ++i) k[i] /= std::pow(c, i);
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
