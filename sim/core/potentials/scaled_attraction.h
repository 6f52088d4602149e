// Lennard-Jones with the attraction scaled by alpha, truncated and shifted: with x = (sigma / r)^6
//   u = 4 epsilon (x^2 - alpha x) - u(r_c),  f / r = 24 epsilon (2 x^2 - alpha x) / r^2
// alpha = 1: Lennard-Jones; 0: soft spheres, r^-12 (Hoover et al., J. Chem. Phys. 52, 4931, 1970).
// Of two types the mean of both.
#pragma once
#include "sim/core/potentials/entry.h"

namespace cellscope {

template <class Real>
struct ScaledAttractionForm {
  Real alpha;

  template <class D, class N = typename D::Number>
  HOST_DEVICE FormTerms<N> operator()(const D& d) const {
    const N inverse2 = d.inverseSquared(), x = inverse2 * inverse2 * inverse2;
    return {N(4.0f) * x * (x - N(alpha)), N(24.0f) * x * (N(2.0f) * x - N(alpha))};
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
  static constexpr Truncation kTruncation = Truncation::energy;
  template <class Real>
  static ScaledAttractionForm<Real> form(const PairOfTypes& p) {
    return {static_cast<Real>(p.meanOwn(0))};
  }
};

}  // namespace cellscope
