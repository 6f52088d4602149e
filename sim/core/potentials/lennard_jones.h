// Lennard-Jones and its four ends, and with a scaled attraction.
#pragma once
#include "sim/core/equations_of_state.h"
#include "sim/core/potentials/entry.h"

namespace cellscope {

// With x = r^-6: u_LJ(r) = 4 x (x - 1), r f_LJ(r) = 24 x (2 x - 1) (S2 eq. (2)).
struct LennardJonesForm {
  template <class D, class N = typename D::Number>
  HOST_DEVICE FormTerms<N> operator()(const D& d) const {
    const N inverse2 = d.inverseSquared();
    const N x = inverse2 * inverse2 * inverse2;
    return {N(4.0f) * x * (x - N(1.0f)), N(24.0f) * x * (N(2.0f) * x - N(1.0f))};
  }
};

template <class Real, Truncation truncation>
using LennardJones = CutPair<LennardJonesForm, truncation, Real>;
template <class Real, Truncation truncation>
LennardJones<Real, truncation> makeLennardJones(double cutoff) {
  return cutPair<Real, truncation>(cutoff, truncation, LennardJonesForm{}, LennardJonesForm{});
}

template <class Entry, Truncation truncation>
struct LennardJonesEntry : ScaledEntry<Entry> {
  static constexpr Truncation kTruncation = truncation;
  template <class Real>
  static LennardJonesForm form(const PairOfTypes&) {
    return {};
  }
};

// The force is shifted so that it ends at zero (S2, eq. (3)).
struct ForceShiftedEntry : LennardJonesEntry<ForceShiftedEntry, Truncation::force> {
  static constexpr const char* kKey = "force_shifted";
  static constexpr const char* kHelp =
      "energy and force go to zero at the cutoff, and energy is conserved best";
};

// S2, eq. (2).
struct TruncatedEntry : LennardJonesEntry<TruncatedEntry, Truncation::plain> {
  static constexpr const char* kKey = "truncated";
  static constexpr const char* kHelp =
      "energy and force jump at the cutoff, so that the total energy drifts";
  static std::optional<TailConstants> tail(const PairOfTypes& p, int dimension) {
    return TailConstants{tailEnergy(dimension, p.cutoff), tailPressure(dimension, p.cutoff)};
  }
};

struct ShiftedEntry : LennardJonesEntry<ShiftedEntry, Truncation::energy> {
  static constexpr const char* kKey = "shifted";
  static constexpr const char* kHelp = "the force jumps at the cutoff";
};

// Weeks, Chandler and Andersen (J. Chem. Phys. 54, 5237, 1971): the repulsive part, u_LJ + 1 up to
// the minimum at 2^(1/6), where the force is 0.
struct WcaEntry : LennardJonesEntry<WcaEntry, Truncation::energy> {
  static constexpr const char* kKey = "wca";
  static constexpr const char* kHelp =
      "the repulsive part alone, which ends at 2^(1/6) whatever the cutoff";
  static constexpr double kEnd = 1.122462048309373;
  static double cutoffFor(double) { return kEnd; }
  static bool smooth(const PairOfTypes&) { return true; }
};

// Lennard-Jones with the attraction scaled by alpha, truncated and shifted: with x = (sigma / r)^6
//   u = 4 epsilon (x^2 - alpha x) - u(r_c),  f / r = 24 epsilon (2 x^2 - alpha x) / r^2
// alpha = 1: Lennard-Jones; 0: soft spheres, r^-12 (Hoover et al., J. Chem. Phys. 52, 4931, 1970).
// Of two types the mean of both.
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
