// Stochastic velocity rescaling: Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007).
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/core/rng.h"

namespace cellscope {

// Normal and gamma deviates of one moment of a run.
class BathDraws {
 public:
  HOST_DEVICE BathDraws(std::uint64_t seed, std::uint64_t step)
      : key_(hashSeed(seed)), step_(step) {}

  HOST_DEVICE double uniform() {
    if (left_ == 0)
      words_ = draw(key_, RngPurpose::langevinNoise, step_, kNoParticle, block_++), left_ = 2;
    --left_;
    return uniformOpen(words_.w[2 * left_], words_.w[2 * left_ + 1]);
  }
  HOST_DEVICE double normal() {
    const double r = std::sqrt(-2.0 * std::log(uniform()));
    return r * std::cos(2.0 * std::numbers::pi * uniform());
  }
  // Of shape a >= 1/2, by Marsaglia and Tsang, ACM Trans. Math. Softw. 26, 363 (2000).
  HOST_DEVICE double gamma(double a) {
    if (a < 1.0) {
      const double u = uniform();
      return gamma(a + 1.0) * std::pow(u, 1.0 / a);
    }
    const double d = a - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
      const double x = normal(), root = 1.0 + c * x, v = root * root * root;
      if (v > 0 && std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
  }
  // Sum of the squares of n normal deviates.
  HOST_DEVICE double chiSquare(double n) { return n > 0 ? 2.0 * gamma(0.5 * n) : 0.0; }

 private:
  static constexpr std::uint32_t kNoParticle = 0xffffffffu;  // no particle has this number
  RngKey key_;
  std::uint64_t step_;
  Random4 words_{};
  std::uint32_t block_ = 0;
  int left_ = 0;
};

// The factor of all velocities: the kinetic energy, of `freedoms` degrees of freedom, relaxes to
// that of the temperature within `relaxed` coupling times (eq. A7). Its sign follows eq. (A8).
HOST_DEVICE double rescalingFactor(double kinetic, double freedoms, double temperature,
                                   double relaxed, BathDraws& draws) {
  const double c = std::exp(-relaxed);
  const double unit = (1.0 - c) * temperature / (2.0 * kinetic);
  const double r = draws.normal(), s = draws.chiSquare(freedoms - 1.0);
  const double square = c + unit * (r * r + s) + 2.0 * r * std::sqrt(c * unit);
  const double factor = std::sqrt(square > 0 ? square : 0.0);
  return r + std::sqrt(c / unit) >= 0 ? factor : -factor;
}

}  // namespace cellscope
