// A heat bath for molecular dynamics: Langevin friction and noise.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/base/vec.h"
#include "sim/core/rng.h"

namespace cellscope {

struct BathSettings {
  bool on = false;
  double temperature = 1, friction = 1;  // gamma, in 1/tau
  std::uint64_t seed = 1;
};

// BAOAB splitting (Leimkuhler and Matthews 2013): half kick, half drift, friction and noise, half
// drift; then forces and the other half kick. Friction and noise are exact for free particles:
// v' = a v + b xi with a = exp(-gamma dt), b = sqrt(T (1 - a^2)), m = k_B = 1. Without friction
// (a = 1) this is velocity Verlet.
struct Bath {
  bool on = false;
  double keep = 1, noise = 0;  // a, b
  RngKey key{0, 0};

  static Bath of(bool on, double temperature, double friction, double dt, std::uint64_t seed) {
    if (!on) return {};
    const double a = std::exp(-friction * dt);
    return {true, a, std::sqrt(temperature * (1.0 - a * a)), hashSeed(seed)};
  }
  HOST_DEVICE Vec3d kicked(Vec3d v, std::uint64_t step, std::uint32_t id, bool flat) const {
    const Random4 p = draw(key, RngPurpose::langevinNoise, step, id, 0);
    const Random4 q = draw(key, RngPurpose::langevinNoise, step, id, 1);
    constexpr double kTurn = 6.283185307179586;
    // Normal deviates after Box and Muller.
    const double r1 = noise * sqrt(-2.0 * log(uniformOpen(p.w[0], p.w[1])));
    const double r2 = noise * sqrt(-2.0 * log(uniformOpen(q.w[0], q.w[1])));
    const double t1 = kTurn * uniformOpen(p.w[2], p.w[3]);
    const double t2 = kTurn * uniformOpen(q.w[2], q.w[3]);
    return {keep * v.x + r1 * cos(t1), keep * v.y + r1 * sin(t1),
            flat ? 0.0 : keep * v.z + r2 * cos(t2)};
  }
};

}  // namespace cellscope
