// Baths of molecular dynamics: of heat, by Langevin friction and noise, and of a pressure.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/box.h"
#include "sim/core/rng.h"

namespace cellscope {

// temperature changes evenly to endTemperature over the first rampSteps steps of the run; 0: it
// stays.
struct BathSettings {
  bool on = false;
  double temperature = 1, friction = 1;  // gamma, in 1/tau
  std::uint64_t seed = 1;
  double endTemperature = 1;
  std::uint64_t rampSteps = 0;
  // Noise from the one sequence of rand48 (S2, section 4) in place of Philox: four numbers for each
  // of these particles and this step, in order.
  bool rand48 = false;
  std::uint64_t particles = 0;

  // What kernels see of the bath is not the same in every step.
  bool changes() const { return on && (rampSteps > 0 || rand48); }

  // By how much of a step of length dt the velocities of samples are before its end: half of it
  // where the bath is on. They are those between the random kick and the last half kick, which have
  // the temperature of the bath: T (1 - O(dt^4)), and T exactly in a harmonic well, whatever dt and
  // friction. At the end of a step the kinetic temperature is T (1 - dt^2 <omega^2> / 4 + ...)
  // (Leimkuhler and Matthews, J. Chem. Phys. 138, 174102, 2013). Positions of BAOAB are exact in a
  // harmonic well as well.
  double sampledBack(double dt) const { return on ? 0.5 * dt : 0; }

  double temperatureAt(std::uint64_t step) const {
    if (rampSteps == 0) return temperature;
    const double done =
        step < rampSteps ? static_cast<double>(step) / static_cast<double>(rampSteps) : 1.0;
    return temperature + done * (endTemperature - temperature);
  }
};

// BAOAB splitting (Leimkuhler and Matthews 2013): half kick, half drift, friction and noise, half
// drift; then forces and the other half kick. Friction and noise are exact for free particles:
// v' = a v + b xi with a = exp(-gamma dt), b = sqrt(T (1 - a^2) / m), k_B = 1. Without friction
// (a = 1) this is velocity Verlet.
struct Bath {
  bool on = false;
  double keep = 1, noise = 0;  // a, b of m = 1
  RngKey key{0, 0};
  bool rand48 = false;
  std::uint64_t state = 0;  // of rand48 before the numbers of this step

  static Bath of(const BathSettings& s, double dt, std::uint64_t step) {
    if (!s.on) return {};
    const double a = std::exp(-s.friction * dt);
    Bath b{true, a, std::sqrt(s.temperatureAt(step) * (1.0 - a * a)), hashSeed(s.seed)};
    b.rand48 = s.rand48;
    if (s.rand48) b.state = rand48Leap(4 * s.particles * step).of(rand48Seed(s.seed));
    return b;
  }
  HOST_DEVICE Vec3d kicked(Vec3d v, std::uint64_t step, std::uint32_t id, bool flat,
                           double inverseMass = 1) const {
    constexpr double kTurn = 6.283185307179586;
    double u[4];
    uniforms(step, id, u);
    // Normal deviates after Box and Muller.
    const double b = noise * sqrt(inverseMass);
    const double r1 = b * sqrt(-2.0 * log(u[0])), r2 = b * sqrt(-2.0 * log(u[1]));
    const double t1 = kTurn * u[2], t2 = kTurn * u[3];
    return {keep * v.x + r1 * cos(t1), keep * v.y + r1 * sin(t1),
            flat ? 0.0 : keep * v.z + r2 * cos(t2)};
  }

 private:
  HOST_DEVICE void uniforms(std::uint64_t step, std::uint32_t id, double (&u)[4]) const {
    if (rand48) {
      std::uint64_t x = rand48Leap(4 * static_cast<std::uint64_t>(id) + 1).of(state);
      for (double& value : u) {
        value = openUniformOf(x);
        x = rand48Step().of(x);
      }
      return;
    }
    const Random4 p = draw(key, RngPurpose::langevinNoise, step, id, 0);
    const Random4 q = draw(key, RngPurpose::langevinNoise, step, id, 1);
    u[0] = uniformOpen(p.w[0], p.w[1]), u[1] = uniformOpen(q.w[0], q.w[1]);
    u[2] = uniformOpen(p.w[2], p.w[3]), u[3] = uniformOpen(q.w[2], q.w[3]);
  }
};

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
struct Barostat {
  double pressure = 1, time = 1, compressibility = 0.1;  // P_0, tau_p, beta
  double temperature = 1;
  double interval = 0.08;  // h, in tau
  std::uint64_t seed = 1;
};

// V' / V before `step` at a volume and pressure. The pull of the pressure changes lengths by at
// most 4 % of themselves, which is met far from equilibrium only.
inline double volumeFactor(const Barostat& b, double volume, double pressure, std::uint64_t step,
                           int dimension) {
  const double rate = b.compressibility * b.interval / (2.0 * b.time), most = 0.02 * dimension;
  const double pull = rate * (pressure - b.pressure + b.temperature / (2.0 * volume));
  const double xi = normalDeviate(draw(hashSeed(b.seed), RngPurpose::barostatNoise, step, 0, 0));
  const double ratio = 1.0 + std::clamp(pull, -most, most) +
                       std::sqrt(b.temperature * rate / volume) * xi;  // of lambda
  return std::max(ratio * ratio, 0.25);
}

}  // namespace cellscope
