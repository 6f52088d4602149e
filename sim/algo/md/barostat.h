// Stochastic cell rescaling: the volume fluctuates as it does at a pressure P_0. Bernetti and
// Bussi, J. Chem. Phys. 153, 114107 (2020), isotropic, k_B = 1.
//
// For epsilon = ln V it is d epsilon = -(beta / tau_p) (P_0 - P) dt + sqrt(2 T beta / (V tau_p)) dW
// (in Ito's sense). Its noise depends on V; that of lambda = sqrt(V) does not:
//
//   d lambda = -(beta lambda / (2 tau_p)) (P_0 - P - T / (2 V)) dt + sqrt(T beta / (2 tau_p)) dW
//
// Discretised, h the time between two changes and xi a normal deviate of its own for each:
//
//   lambda' = lambda - (beta lambda h / (2 tau_p)) (P_0 - P - T / (2 V))
//             + sqrt(T beta h / (2 tau_p)) xi
//
// The mean volume is too large by about 0.3 h / (N tau) of itself, its variance by a factor of 1 /
// (1 - h / (2 tau)), tau the time in which the volume relaxes: tau_p, if beta is the
// compressibility of the fluid.
//
// Positions are scaled by (V' / V)^(1/d), velocities relative to the centre of mass by the inverse.
// P is the instantaneous pressure without the motion of the centre of mass. So the volume has the
// weight Z_N(V) exp(-P_0 V / T) dV / V, Z_N the configurational integral: the mean of P is P_0, and
// V of an ideal gas is gamma distributed with shape N and scale T / P_0.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/core/rng.h"

namespace cellscope {

struct Barostat {
  double pressure = 1, time = 1, compressibility = 0.1;  // P_0, tau_p, beta
  double temperature = 1;
  double interval = 0.08;  // h, in tau
  std::uint64_t seed = 1;
};

// xi of the change before this step.
inline double volumeNoise(std::uint64_t seed, std::uint64_t step) {
  return normalDeviate(draw(hashSeed(seed), RngPurpose::barostatNoise, step, 0, 0));
}

// V' / V before `step` at a volume and pressure. The pull of the pressure changes lengths by at
// most 4 % of themselves, which is met far from equilibrium only.
inline double volumeFactor(const Barostat& b, double volume, double pressure, std::uint64_t step,
                           int dimension) {
  const double rate = b.compressibility * b.interval / (2.0 * b.time), most = 0.02 * dimension;
  const double pull = rate * (pressure - b.pressure + b.temperature / (2.0 * volume));
  const double ratio =
      1.0 + std::clamp(pull, -most, most) +
      std::sqrt(b.temperature * rate / volume) * volumeNoise(b.seed, step);  // of lambda
  return std::max(ratio * ratio, 0.25);
}

}  // namespace cellscope
