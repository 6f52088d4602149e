#include "sim/core/hard_disk_eos.h"

#include <cmath>
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

}  // namespace cellscope
