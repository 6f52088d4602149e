// The list of pair potentials. A new one is an evaluator (shape: LennardJones), its entry and a
// line in visitPotentials; kernels, parameters, help and property tests walk the list.
#pragma once
#include <string>
#include <vector>

#include "sim/core/colloid_pair.h"
#include "sim/core/lennard_jones.h"

namespace cellscope {

// What the law of two types may depend on. sigma, epsilon: of the pair. Cutoff in units of sigma =
// 1. Radii of both: of spheres, 0 for points.
struct PairOfTypes {
  double sigma = 1, epsilon = 1, cutoff = 2.5;
  double radiusA = 0, radiusB = 0;
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

// One entry of the list:
//   make<Real>(cutoff)    evaluator for points of sigma = epsilon = 1
//   ofTypes<Real>(pair)   evaluator for two types, the same class for all
//   end(pair)             where that one ends
//   kSmooth               the force ends at zero: velocity Verlet conserves the energy to order
//   dt^2 kContinuousEnergy     the energy ends at zero
// Base of those that scale with sigma and epsilon. They have make() and cutoffFor(), where it ends.
template <class Entry>
struct ScaledEntry {
  const char *key, *label, *help;
  static double end(const PairOfTypes& p) { return p.sigma * Entry::cutoffFor(p.cutoff / p.sigma); }
  template <class Real>
  static auto ofTypes(const PairOfTypes& p) {
    using Unit = decltype(Entry::template make<Real>(1.0));
    const double last = end(p);
    return ScaledPair<Unit, Real>{Entry::template make<Real>(p.cutoff / p.sigma),
                                  static_cast<Real>(last * last), static_cast<Real>(p.epsilon),
                                  static_cast<Real>(p.sigma),
                                  static_cast<Real>(1.0 / (p.sigma * p.sigma))};
  }
};

template <Truncation truncation>
struct LennardJonesEntry : ScaledEntry<LennardJonesEntry<truncation>> {
  static constexpr bool kSmooth = truncation == Truncation::force;
  static constexpr bool kContinuousEnergy = truncation != Truncation::plain;
  template <class Real>
  static auto make(double cutoff) {
    return makeLennardJones<Real, truncation>(cutoff);
  }
  static double cutoffFor(double asked) { return asked; }
};

// Weeks, Chandler and Andersen (1971): the repulsive part, u_LJ + 1 up to the minimum at 2^(1/6).
struct WcaEntry : ScaledEntry<WcaEntry> {
  static constexpr bool kSmooth = true;  // the force is 0 where it ends
  static constexpr bool kContinuousEnergy = true;
  static constexpr double kEnd = 1.122462048309373;
  template <class Real>
  static auto make(double) {
    return makeLennardJones<Real, Truncation::energy>(kEnd);
  }
  static double cutoffFor(double) { return kEnd; }
};

// Lennard-Jones between points, integrated over the volume of spheres; truncated and shifted.
struct ColloidEntry {
  static constexpr bool kSmooth = false;
  static constexpr bool kContinuousEnergy = true;
  const char *key, *label, *help;
  template <class Real>
  static auto make(double cutoff) {
    return makeLennardJones<Real, Truncation::energy>(cutoff);
  }
  static double end(const PairOfTypes& p) { return p.cutoff; }
  template <class Real>
  static auto ofTypes(const PairOfTypes& p) {
    return makeColloidPair<Real>(p.radiusA, p.radiusB, p.cutoff);
  }
};

// f(entry) for every potential, in the order of their index.
template <class F>
void visitPotentials(F&& f) {
  f(LennardJonesEntry<Truncation::force>{
      {"force_shifted", "Force-shifted Lennard-Jones",
       "energy and force go to zero at the cutoff, and energy is conserved best"}});
  f(LennardJonesEntry<Truncation::plain>{
      {"truncated", "Truncated Lennard-Jones",
       "energy and force jump at the cutoff, so that the total energy drifts"}});
  f(LennardJonesEntry<Truncation::energy>{
      {"shifted", "Truncated and shifted Lennard-Jones", "the force jumps at the cutoff"}});
  f(WcaEntry{{"wca", "Weeks-Chandler-Andersen (repulsive part)",
              "the repulsive part alone, which ends at 2^(1/6) whatever the cutoff"}});
  f(ColloidEntry{"colloid", "Lennard-Jones integrated over spheres",
                 "integrated over the volume of spheres and shifted at the cutoff, where the force "
                 "jumps; between points it is shifted"});
}

inline std::vector<std::string> potentialKeys() {
  std::vector<std::string> keys;
  visitPotentials([&](auto entry) { keys.push_back(entry.key); });
  return keys;
}

// f(entry) with the potential number `index`.
template <class F>
void withPotentialEntry(int index, F&& f) {
  int number = 0;
  visitPotentials([&](auto entry) {
    if (number++ == index) f(entry);
  });
}

// f(evaluator) with the potential number `index` at this cutoff.
template <class Real, class F>
void withPotential(int index, double cutoff, F&& f) {
  withPotentialEntry(index, [&](auto entry) { f(decltype(entry)::template make<Real>(cutoff)); });
}

}  // namespace cellscope
