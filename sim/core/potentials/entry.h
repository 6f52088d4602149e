// What an entry of the list of pair potentials (sim/core/potentials.h) is made of.
#pragma once
#include <span>

#include "sim/base/host_device.h"
#include "sim/core/lennard_jones.h"

namespace cellscope {

inline constexpr int kMostOwn = 2;  // parameters that a potential may have of its own

// A parameter of a potential that each type has a value of, beside sigma, epsilon and cutoff. It
// becomes parameters of molecular dynamics: `key` of the first type, `key`_b of the second.
struct OwnParameter {
  const char *key, *label, *symbol;
  double min, max, fallback;
  const char *help, *equation;
};

// What the law of two types may depend on. sigma, epsilon: of the pair. Cutoff in units of sigma =
// 1. Radii of both: of spheres, 0 for points. Own parameters of both, in the order of kOwn.
struct PairOfTypes {
  double sigma = 1, epsilon = 1, cutoff = 2.5;
  double radiusA = 0, radiusB = 0;
  double ownA[kMostOwn] = {1, 1}, ownB[kMostOwn] = {1, 1};

  double meanOwn(int k) const { return 0.5 * (ownA[k] + ownB[k]); }
};

// A law of sigma = epsilon = 1 for another sigma and epsilon: u(r) = epsilon u_1(r / sigma).
template <class Pair, class Real>
struct ScaledPair {
  Pair unit;
  Real cutoffSquared;
  Real epsilon, sigma, inverseSigma2;

  HOST_DEVICE PairTerms<Real> terms(Real r2, Real rInverse) const {
    const PairTerms<Real> t = unit.terms(r2 * inverseSigma2, rInverse * sigma);
    return {epsilon * t.energy, epsilon * inverseSigma2 * t.forceOverR};
  }
};

// Base of all entries: what most of them have. An entry also has
//   kKey, kHelp             its name and words
//   make<Real>(pair)        evaluator for points of sigma = epsilon = 1
//   ofTypes<Real>(pair)     evaluator for two types, the same class for all
//   end(pair)               where that one ends
struct PairEntry {
  static constexpr bool kSmooth = false;  // the force ends at zero: velocity Verlet conserves the
                                          // energy to order dt^2
  static constexpr bool kContinuousEnergy = true;  // the energy ends at zero
  static constexpr bool kScales = true;            // with sigma and epsilon
  static constexpr bool kTail = false;             // what is cut off may be corrected for
  static constexpr std::span<const OwnParameter> kOwn = {};
};

// Base of those that scale with sigma and epsilon. They have make() and cutoffFor(), where it ends
// with sigma = 1.
template <class Entry>
struct ScaledEntry : PairEntry {
  static double cutoffFor(double asked) { return asked; }
  static double end(const PairOfTypes& p) { return p.sigma * Entry::cutoffFor(p.cutoff / p.sigma); }
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
