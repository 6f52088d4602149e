#include "sim/core/equations_of_state.h"

#include <utility>

#include "sim/base/error.h"

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

namespace {

struct Power {
  double n, t;
  int d, l;
};
constexpr Power kPowers[] = {
    {0.52080730e-2, 1.000, 4, 0},  {0.21862520e+1, 0.320, 1, 0},  {-0.21610160e+1, 0.505, 1, 0},
    {0.14527000e+1, 0.672, 2, 0},  {-0.20417920e+1, 0.843, 2, 0}, {0.18695286e+0, 0.898, 3, 0},
    {-0.62086250e+0, 1.205, 1, 1}, {-0.56883900e+0, 1.786, 1, 2}, {-0.80055922e+0, 2.770, 3, 2},
    {0.10901431e+0, 1.786, 2, 1},  {-0.49745610e+0, 2.590, 2, 2}, {-0.90988445e-1, 1.294, 5, 1}};

struct Gaussian {
  double n, t;
  int d;
  double eta, beta, gamma, epsilon;
};
constexpr Gaussian kGaussians[] = {{-0.14667177e+1, 2.830, 1, 2.067, 0.625, 0.71, 0.2053},
                                   {0.18914690e+1, 2.548, 1, 1.522, 0.638, 0.86, 0.409},
                                   {-0.13837010e+0, 4.650, 2, 8.82, 3.91, 1.94, 0.6},
                                   {-0.38696450e+0, 1.385, 3, 1.722, 0.156, 1.48, 1.203},
                                   {0.12657020e+0, 1.460, 3, 0.679, 0.157, 1.49, 1.829},
                                   {0.60578100e+0, 1.351, 2, 1.883, 0.153, 1.945, 1.397},
                                   {0.11791890e+1, 0.660, 1, 3.925, 1.16, 3.02, 1.39},
                                   {-0.47732679e+0, 1.496, 2, 2.461, 1.73, 1.11, 0.539},
                                   {-0.99218575e+1, 1.830, 3, 28.2, 383, 1.17, 0.934},
                                   {-0.57479320e+0, 1.616, 1, 0.753, 0.112, 1.33, 2.369},
                                   {0.37729230e-2, 4.970, 1, 0.82, 0.119, 0.24, 2.43}};

// alpha_r = A_res / (N T) and its derivatives times tau and delta.
struct Residual {
  double alpha = 0, byDelta = 0, byTau = 0;
};

Residual residual(double tau, double delta) {
  Residual r;
  for (const Power& p : kPowers) {
    const double cut = p.l > 0 ? std::pow(delta, p.l) : 0;
    const double term = p.n * std::pow(tau, p.t) * std::pow(delta, p.d) * std::exp(-cut);
    r.alpha += term;
    r.byDelta += term * (p.d - p.l * cut);
    r.byTau += term * p.t;
  }
  for (const Gaussian& g : kGaussians) {
    const double x = delta - g.epsilon, y = tau - g.gamma;
    const double term =
        g.n * std::pow(tau, g.t) * std::pow(delta, g.d) * std::exp(-g.eta * x * x - g.beta * y * y);
    r.alpha += term;
    r.byDelta += term * (g.d - 2 * g.eta * delta * x);
    r.byTau += term * (g.t - 2 * g.beta * tau * y);
  }
  return r;
}

}  // namespace

FluidState tholEquation(double temperature, double density) {
  const Residual r = residual(1.32 / temperature, density / 0.31);
  return {density * temperature * (1 + r.byDelta), temperature * r.byTau,
          temperature * (r.alpha + r.byDelta)};
}

constexpr double kA[] = {0.690603404, 1.189317012,  1.265604153, -24.34554201,
                         93.67300357, -157.8773415, 96.93736697};
constexpr double kB[] = {0.664852128, 2.10733079,  -9.597951213, -17.37871193,
                         30.17506222, 209.3942909, -353.2743581};

// A_res / (N T).
static double freeEnergy(double temperature, double density) {
  const double d = 1 - 0.127112544 * std::exp(-3.052785558 / temperature);
  const double eta = kPi / 6 * density * d * d * d, left = 1 - eta;
  const double spheres = (4 * eta - 3 * eta * eta) / (left * left);
  const double c = 1 / (1 + (8 * eta - 2 * eta * eta) / std::pow(left, 4));
  return spheres - 2 * kPi * density * polynomial(kA, eta) / temperature -
         kPi * density * c * polynomial(kB, eta) / (temperature * temperature);
}

// Derivatives by central differences, good to 1e-8.
FluidState petsEquation(double temperature, double density) {
  const double dr = 1e-4 * density, dt = 1e-4 * temperature;
  const double byDensity =
      (freeEnergy(temperature, density + dr) - freeEnergy(temperature, density - dr)) / (2 * dr);
  const double byTemperature =
      (freeEnergy(temperature + dt, density) - freeEnergy(temperature - dt, density)) / (2 * dt);
  const double alpha = freeEnergy(temperature, density);
  return {density * temperature * (1 + density * byDensity),
          -temperature * temperature * byTemperature, temperature * (alpha + density * byDensity)};
}

}  // namespace cellscope
