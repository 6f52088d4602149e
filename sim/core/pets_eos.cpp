#include "sim/core/pets_eos.h"

#include <cmath>
#include <numbers>

namespace cellscope {
namespace {

constexpr double kA[] = {0.690603404, 1.189317012,  1.265604153, -24.34554201,
                         93.67300357, -157.8773415, 96.93736697};
constexpr double kB[] = {0.664852128, 2.10733079,  -9.597951213, -17.37871193,
                         30.17506222, 209.3942909, -353.2743581};

double series(const double (&coefficients)[7], double x) {
  double sum = 0;
  for (int i = 6; i >= 0; --i) sum = sum * x + coefficients[i];
  return sum;
}

// A_res / (N T).
double freeEnergy(double temperature, double density) {
  constexpr double kPi = std::numbers::pi;
  const double d = 1 - 0.127112544 * std::exp(-3.052785558 / temperature);
  const double eta = kPi / 6 * density * d * d * d, left = 1 - eta;
  const double spheres = (4 * eta - 3 * eta * eta) / (left * left);
  const double c = 1 / (1 + (8 * eta - 2 * eta * eta) / std::pow(left, 4));
  return spheres - 2 * kPi * density * series(kA, eta) / temperature -
         kPi * density * c * series(kB, eta) / (temperature * temperature);
}

}  // namespace

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
