// Long-range corrections of the truncated Lennard-Jones fluid, and the three ways to state the
// reservoir. Reduced units; the thermal de Broglie length is 1 (Lambda = 1).
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

namespace cellscope {

// c in U_tail = c N^2 / V (self term included), g = 1 beyond the cutoff:
//   3D  c = (8 pi / 3) (r_c^-9 / 3 - r_c^-3)       2D  c = pi (2 r_c^-10 / 5 - r_c^-4)
inline double tailEnergy(int dimension, double cutoff) {
  if (dimension == 3)
    return 8.0 / 3.0 * std::numbers::pi * (std::pow(cutoff, -9) / 3.0 - std::pow(cutoff, -3));
  return std::numbers::pi * (0.4 * std::pow(cutoff, -10) - std::pow(cutoff, -4));
}

// p_tail / rho^2:
//   3D  (16 pi / 3) (2 r_c^-9 / 3 - r_c^-3)        2D  pi (12 r_c^-10 / 5 - 3 r_c^-4)
inline double tailPressure(int dimension, double cutoff) {
  if (dimension == 3)
    return 16.0 / 3.0 * std::numbers::pi *
           (2.0 / 3.0 * std::pow(cutoff, -9) - std::pow(cutoff, -3));
  return std::numbers::pi * (2.4 * std::pow(cutoff, -10) - 3.0 * std::pow(cutoff, -4));
}

// The integral (S_d / 2) r^(d - 1 - k) dr beyond the cutoff, S_3 = 4 pi, S_2 = 2 pi: c of u = r^-k.
inline double powerTail(int dimension, std::int64_t k, double cutoff) {
  const auto more = static_cast<double>(k - dimension);
  return (dimension == 3 ? 2 : 1) * std::numbers::pi * std::pow(cutoff, -more) / more;
}

// Reservoir: z = exp(mu / T) (activity, 1 / volume); fugacity f = z T.
inline double activityOfPotential(double mu, double temperature) {
  return std::exp(mu / temperature);
}
inline double potentialOfActivity(double z, double temperature) {
  return temperature * std::log(z);
}
inline double fugacityOfActivity(double z, double temperature) { return z * temperature; }
inline double activityOfFugacity(double f, double temperature) { return f / temperature; }

}  // namespace cellscope
