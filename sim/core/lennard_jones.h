// Pair laws: what a law may ask of a distance, how it ends at the cutoff, and Lennard-Jones.
// Reduced units: sigma = epsilon = 1.
//
// A form is u(r) without end: form(d) has u and r . f = -r u'(r) of a distance d. It is written
// once for every number type N = D::Number: float, double, lanes of floats, and floats that are
// rounded alike on all backends. Its coefficients are floats or doubles.
#pragma once
#include "sim/base/host_device.h"

namespace cellscope {

// How the potential ends at the cutoff r_c. The three choices are three different fluids.
enum class Truncation {
  plain,   // u below r_c, 0 above: jumps at r_c ("cut")
  energy,  // u - u(r_c): continuous, the force jumps ("shift")
  force    // S2 eq. (3): force minus its value at r_c; energy and force are continuous ("LFS")
};

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

// A distance by r^2 and 1 / r, as forces have it.
template <class N>
struct Distance {
  using Number = N;
  N r2, rInverse;
  HOST_DEVICE N inverse() const { return rInverse; }
  HOST_DEVICE N inverseSquared() const { return rInverse * rInverse; }
  HOST_DEVICE N plain() const { return r2 * rInverse; }
};

template <class N>
struct FormTerms {
  N energy, virial;
};

// With x = r^-6: u_LJ(r) = 4 x (x - 1), r f_LJ(r) = 24 x (2 x - 1) (S2 eq. (2)).
struct LennardJonesForm {
  template <class D, class N = typename D::Number>
  HOST_DEVICE FormTerms<N> operator()(const D& d) const {
    const N inverse2 = d.inverseSquared();
    const N x = inverse2 * inverse2 * inverse2;
    return {N(4.0f) * x * (x - N(1.0f)), N(24.0f) * x * (N(2.0f) * x - N(1.0f))};
  }
};

// A form that ends at the cutoff:
//   force-shifted: f = f_form(r) - f_c, u = u_form(r) - u_c + (r - r_c) f_c   (S2 eq. (3),
//   integrated)
// `truncation` is what the class can do; without a shift its constants are 0.
template <class Form, Truncation truncation, class Real>
struct CutPair : Form {
  Real cutoffSquared;
  Real energyOffset;  // constant added to u below r_c
  Real forceAtCutoff;

  // Valid for r2 < cutoffSquared; rInverse = 1 / r, both clamped to kCoreRadius by the caller.
  template <class N>
  HOST_DEVICE PairTerms<N> terms(N r2, N rInverse) const {
    const Distance<N> d{r2, rInverse};
    const FormTerms<N> form = Form::operator()(d);
    PairTerms<N> t{form.energy, form.virial * d.inverseSquared()};
    if constexpr (truncation != Truncation::plain) t.energy = t.energy + N(energyOffset);
    if constexpr (truncation == Truncation::force) {
      t.energy = t.energy + N(forceAtCutoff) * d.plain();
      t.forceOverR = t.forceOverR - N(forceAtCutoff) * d.inverse();
    }
    return t;
  }
};

// The constants of a truncation.
struct Ending {
  double energyOffset, forceAtCutoff;
};
Ending endingAt(double cutoff, Truncation truncation, const auto& form) {
  const Distance<double> end{cutoff * cutoff, 1.0 / cutoff};
  const FormTerms<double> last = form(end);
  const double force = truncation == Truncation::force ? last.virial / cutoff : 0.0;
  return {truncation == Truncation::plain ? 0.0 : -last.energy - cutoff * force, force};
}

// Constants are computed in double, then rounded once. exact: the form in double.
template <class Real, Truncation truncation, class Form, class InDouble>
CutPair<Form, truncation, Real> cutPair(double cutoff, Truncation how, const Form& form,
                                        const InDouble& exact) {
  const Ending end = endingAt(cutoff, how, exact);
  return {form, static_cast<Real>(cutoff * cutoff), static_cast<Real>(end.energyOffset),
          static_cast<Real>(end.forceAtCutoff)};
}

template <class Real, Truncation truncation>
using LennardJones = CutPair<LennardJonesForm, truncation, Real>;
template <class Real, Truncation truncation>
LennardJones<Real, truncation> makeLennardJones(double cutoff) {
  return cutPair<Real, truncation>(cutoff, truncation, LennardJonesForm{}, LennardJonesForm{});
}

}  // namespace cellscope
