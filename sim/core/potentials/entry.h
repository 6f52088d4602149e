// What an entry of the list of pair potentials (sim/core/potentials.h) is made of: what a law may
// ask of a distance, how it ends at the cutoff, its words and parameters. Reduced units: sigma =
// epsilon = 1.
//
// A form is u(r) without end: form(d) has u and r . f = -r u'(r) of a distance d. It is written
// once for every number type N = D::Number: float, double, lanes of floats, and floats that are
// rounded alike on all backends. Its coefficients are floats or doubles.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

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

inline constexpr int kMostOwn = 2;  // parameters of each kind that a potential may have of its own

// A parameter of a potential that each type has a value of, beside sigma, epsilon and cutoff. It
// becomes parameters of the modes: `key` of the first type, `key`_b of the second.
struct OwnParameter {
  const char *key, *label, *symbol;
  double min, max, fallback;
  const char *help, *equation;
};
// A whole number, the same for all types.
struct WholeParameter {
  const char *key, *label, *symbol;
  std::int64_t min, max, fallback;
  const char *help, *equation;
};

// What the law of two types may depend on. sigma, epsilon: of the pair. Cutoff in units of sigma =
// 1. Radii of both: of spheres, 0 for points. Own parameters of both, in the order of kOwn; whole
// numbers in that of kWhole. truncation: of potentials that leave it open (kOpenEnd).
struct PairOfTypes {
  double sigma = 1, epsilon = 1, cutoff = 2.5;
  double radiusA = 0, radiusB = 0;
  double ownA[kMostOwn] = {1, 1}, ownB[kMostOwn] = {1, 1};
  std::int64_t whole[kMostOwn] = {12, 6};
  Truncation truncation = Truncation::plain;

  double meanOwn(int k) const { return 0.5 * (ownA[k] + ownB[k]); }
};

// c in U_tail = c N^2 / V (self term included), g = 1 beyond the cutoff, and p_tail / rho^2.
struct TailConstants {
  double energy = 0, pressure = 0;
};

// A law of sigma = epsilon = 1 for another sigma and epsilon: u(r) = epsilon u_1(r / sigma).
template <class Pair, class Real>
struct ScaledPair {
  Pair unit;
  Real cutoffSquared;
  Real epsilon, sigma, inverseSigma2;

  template <class N>
  HOST_DEVICE PairTerms<N> terms(N r2, N rInverse) const {
    const PairTerms<N> t = unit.terms(r2 * N(inverseSigma2), rInverse * N(sigma));
    return {N(epsilon) * t.energy, N(epsilon * inverseSigma2) * t.forceOverR};
  }
};

// Base of all entries: what most of them have. An entry also has
//   kKey, kHelp             its name and words
//   make<Real>(pair)        evaluator for points of sigma = epsilon = 1
//   ofTypes<Real>(pair)     evaluator for two types, the same class for all
//   end(pair)               where that one ends
//   smooth(pair)            the force ends at zero: velocity Verlet conserves the energy to order
//   dt^2 continuous(pair)        the energy ends at zero
struct PairEntry {
  static constexpr bool kScales = true;    // with sigma and epsilon
  static constexpr bool kOpenEnd = false;  // its truncation is a parameter
  // It has a form of + - * / and square roots alone: in grand-canonical chains, too.
  static constexpr bool kExact = false;
  static constexpr std::span<const OwnParameter> kOwn = {};
  static constexpr std::span<const WholeParameter> kWhole = {};
  // What is wrong with its own parameters; none: nothing.
  static std::string refused(const PairOfTypes&) { return ""; }
  // What a plain truncation cuts off; none: it cannot be corrected for. sigma = epsilon = 1.
  static std::optional<TailConstants> tail(const PairOfTypes&, int) { return std::nullopt; }
};

// Base of those that scale with sigma and epsilon. They have form<Real>(pair) and kTruncation, the
// most that their class can do.
template <class Entry>
struct ScaledEntry : PairEntry {
  static constexpr bool kExact = true;
  static double cutoffFor(double asked) { return asked; }  // where it ends with sigma = 1
  static double end(const PairOfTypes& p) { return p.sigma * Entry::cutoffFor(p.cutoff / p.sigma); }
  static Truncation truncation(const PairOfTypes&) { return Entry::kTruncation; }
  static bool smooth(const PairOfTypes& p) { return Entry::truncation(p) == Truncation::force; }
  static bool continuous(const PairOfTypes& p) { return Entry::truncation(p) != Truncation::plain; }
  template <class Real>
  static auto make(const PairOfTypes& p) {
    return cutPair<Real, Entry::kTruncation>(Entry::cutoffFor(p.cutoff), Entry::truncation(p),
                                             Entry::template form<Real>(p),
                                             Entry::template form<double>(p));
  }
  template <class Real>
  static auto ofTypes(const PairOfTypes& p) {
    using Unit = decltype(Entry::template make<Real>(p));
    const double last = end(p);
    PairOfTypes unit = p;
    unit.sigma = unit.epsilon = 1, unit.cutoff = p.cutoff / p.sigma;
    return ScaledPair<Unit, Real>{Entry::template make<Real>(unit), static_cast<Real>(last * last),
                                  static_cast<Real>(p.epsilon), static_cast<Real>(p.sigma),
                                  static_cast<Real>(1.0 / (p.sigma * p.sigma))};
  }
};

}  // namespace cellscope
