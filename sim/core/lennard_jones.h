// Lennard-Jones pair potential and its truncations. Reduced units: sigma = epsilon = 1.
#pragma once
#include <type_traits>

#include "sim/base/host_device.h"

namespace cellscope {

// How the potential ends at the cutoff r_c. The three choices are three different fluids.
enum class Truncation {
  plain,   // u_LJ below r_c, 0 above: jumps at r_c ("cut")
  energy,  // u_LJ - u_LJ(r_c): continuous, the force jumps ("shift")
  force    // S2 eq. (3): force minus its value at r_c; energy and force are continuous ("LFS")
};

template <Truncation truncation>
using TruncationConstant = std::integral_constant<Truncation, truncation>;
// f(TruncationConstant) of a truncation known at run time, for code that is compiled for each.
template <class F>
auto withTruncation(Truncation truncation, const F& f) {
  if (truncation == Truncation::plain) return f(TruncationConstant<Truncation::plain>{});
  if (truncation == Truncation::energy) return f(TruncationConstant<Truncation::energy>{});
  return f(TruncationConstant<Truncation::force>{});
}

// Closest distance at which the pair law is evaluated. r^-14 would overflow a float below 2e-3, so
// that r is clamped to this value: forces stay finite and repulsive, and the force of a particle on
// itself (difference vector exactly 0) is exactly 0. Never reached in a valid run.
inline constexpr double kCoreRadius = 0.01;
inline constexpr double kCoreSquared = kCoreRadius * kCoreRadius;

template <class Real>
struct PairTerms {
  Real energy;      // u(r)
  Real forceOverR;  // -u'(r) / r: the force on i is forceOverR * (r_i - r_j)
};

// Evaluator of one truncation. Real is float, double or a vector of floats. With x = r^-6:
//   u_LJ(r) = 4 x (x - 1),  f_LJ(r) / r = 24 x (2 x - 1) / r^2   (S2 eq. (2), epsilon = sigma = 1)
//   force-shifted: f = f_LJ(r) - f_c, u = u_LJ(r) - u_c + (r - r_c) f_c   (S2 eq. (3), integrated)
template <class Real, Truncation truncation>
struct LennardJones {
  static constexpr Truncation kTruncation = truncation;
  Real cutoffSquared;
  Real energyOffset;  // constant added to u below r_c
  Real forceAtCutoff;

  // Valid for r2 < cutoffSquared; rInverse = 1 / r, both clamped to kCoreRadius by the caller.
  HOST_DEVICE PairTerms<Real> terms(Real r2, Real rInverse) const {
    const Real inverse2 = rInverse * rInverse;
    const Real x = inverse2 * inverse2 * inverse2;
    PairTerms<Real> t{Real(4.0f) * x * (x - Real(1.0f)),
                      Real(24.0f) * x * (Real(2.0f) * x - Real(1.0f)) * inverse2};
    if constexpr (truncation != Truncation::plain) t.energy = t.energy + energyOffset;
    if constexpr (truncation == Truncation::force) {
      t.energy = t.energy + forceAtCutoff * (r2 * rInverse);
      t.forceOverR = t.forceOverR - forceAtCutoff * rInverse;
    }
    return t;
  }
};

// u_LJ(r) and f_LJ(r) = -u_LJ'(r) of the full potential (S2 eq. (2)).
HOST_DEVICE double ljEnergy(double r) {
  const double x = 1.0 / (r * r * r * r * r * r);
  return 4.0 * x * (x - 1.0);
}
HOST_DEVICE double ljForce(double r) {
  const double x = 1.0 / (r * r * r * r * r * r);
  return 24.0 * x * (2.0 * x - 1.0) / r;
}

// Evaluator for a cutoff. Coefficients are computed in double, then rounded once.
template <class Real, Truncation truncation>
LennardJones<Real, truncation> makeLennardJones(double cutoff) {
  const double force = truncation == Truncation::force ? ljForce(cutoff) : 0.0;
  const double offset = truncation == Truncation::plain ? 0.0 : -ljEnergy(cutoff) - cutoff * force;
  return {static_cast<Real>(cutoff * cutoff), static_cast<Real>(offset), static_cast<Real>(force)};
}

}  // namespace cellscope
