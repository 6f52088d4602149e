#include "sim/core/hard_disk_eos.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "sim/core/assert.h"

namespace cellscope {

std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

std::vector<double> virialSeries(std::span<const double> reduced) {
  std::vector<double> series{1.0};
  double power = 2.0;
  for (double b : reduced) {
    series.push_back(b * power);
    power *= 2.0;
  }
  return series;
}

double polynomial(std::span<const double> c, double x) {
  double value = 0;
  for (std::size_t i = c.size(); i-- > 0;) value = value * x + c[i];
  return value;
}

Pade padeApproximant(std::span<const double> series, int L, int M) {
  CELLSCOPE_ASSERT(series.size() >= static_cast<std::size_t>(L + M + 1));
  const auto c = [&](int i) { return i < 0 ? 0.0 : series[static_cast<std::size_t>(i)]; };
  const auto n = static_cast<std::size_t>(M);
  // Powers L+1 .. L+M of (denominator x series) vanish.
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  std::vector<double> b(n);
  for (int row = 0; row < M; ++row) {
    b[static_cast<std::size_t>(row)] = -c(L + 1 + row);
    for (int j = 1; j <= M; ++j)
      a[static_cast<std::size_t>(row)][static_cast<std::size_t>(j - 1)] = c(L + 1 + row - j);
  }
  Pade pade{{}, {1.0}};
  for (double q : solved(std::move(a), std::move(b))) pade.denominator.push_back(q);
  for (int i = 0; i <= L; ++i) {
    double sum = 0;
    for (int j = 0; j <= i && j <= M; ++j)
      sum += pade.denominator[static_cast<std::size_t>(j)] * c(i - j);
    pade.numerator.push_back(sum);
  }
  return pade;
}

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
