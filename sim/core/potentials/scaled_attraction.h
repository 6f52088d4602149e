// Lennard-Jones with the attraction scaled by alpha, truncated and shifted: with x = (sigma / r)^6
//   u = 4 epsilon (x^2 - alpha x) - u(r_c),  f / r = 24 epsilon (2 x^2 - alpha x) / r^2
// alpha = 1: Lennard-Jones; 0: soft spheres, r^-12 (Hoover et al., J. Chem. Phys. 52, 4931, 1970).
// Of two types the mean of both.
#pragma once
#include "sim/core/potentials/entry.h"

namespace cellscope {

template <class Real>
struct ScaledAttraction {
  Real cutoffSquared;
  Real energyOffset;
  Real alpha;

  HOST_DEVICE PairTerms<Real> terms(Real, Real rInverse) const {
    const Real inverse2 = rInverse * rInverse, x = inverse2 * inverse2 * inverse2;
    return {Real(4.0f) * x * (x - alpha) + energyOffset,
            Real(24.0f) * x * (Real(2.0f) * x - alpha) * inverse2};
  }
};

struct ScaledAttractionEntry : ScaledEntry<ScaledAttractionEntry> {
  static constexpr const char* kKey = "scaled_attraction";
  static constexpr const char* kHelp =
      "the attraction times alpha of the species, shifted at the cutoff, where the force jumps; 0: "
      "soft spheres, r^-12";
  static constexpr OwnParameter kParameters[] = {
      {"alpha", "Attraction", "alpha", 0, 2, 1,
       "Factor of the attraction, for potential = scaled_attraction; between unlike species the "
       "mean. Larger: particles attract each other more strongly. 0: they repel each other only.",
       "u = 4 epsilon ((sigma/r)^12 - alpha (sigma/r)^6)"}};
  static constexpr std::span<const OwnParameter> kOwn = kParameters;
  template <class Real>
  static auto make(const PairOfTypes& p) {
    const double x = 1.0 / (p.cutoff * p.cutoff * p.cutoff * p.cutoff * p.cutoff * p.cutoff);
    const double alpha = p.meanOwn(0);
    return ScaledAttraction<Real>{static_cast<Real>(p.cutoff * p.cutoff),
                                  static_cast<Real>(-4.0 * x * (x - alpha)),
                                  static_cast<Real>(alpha)};
  }
};

}  // namespace cellscope
