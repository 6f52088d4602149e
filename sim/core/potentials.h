// The list of pair potentials. A new one is an evaluator (shape: LennardJones) and a line in
// visitPotentials; kernels, parameters and property tests walk the list.
#pragma once
#include <string>
#include <vector>

#include "sim/core/lennard_jones.h"

namespace cellscope {

// One entry of the list. `make<Real>(cutoff)` builds the evaluator; cutoffFor(cutoff) is where it
// ends.
template <Truncation truncation>
struct LennardJonesEntry {
  // The force ends at zero at the cutoff: velocity Verlet conserves the energy to order dt^2.
  static constexpr bool kSmooth = truncation == Truncation::force;
  static constexpr bool kContinuousEnergy = truncation != Truncation::plain;
  const char* key;
  const char* label;
  template <class Real>
  static auto make(double cutoff) {
    return makeLennardJones<Real, truncation>(cutoff);
  }
  static double cutoffFor(double asked) { return asked; }
};

// Weeks, Chandler and Andersen (1971): the repulsive part, u_LJ + 1 up to the minimum at 2^(1/6).
struct WcaEntry {
  static constexpr bool kSmooth = true;  // the force is 0 where it ends
  static constexpr bool kContinuousEnergy = true;
  static constexpr double kEnd = 1.122462048309373;
  const char* key;
  const char* label;
  template <class Real>
  static auto make(double) {
    return makeLennardJones<Real, Truncation::energy>(kEnd);
  }
  static double cutoffFor(double) { return kEnd; }
};

// f(entry) for every potential, in the order of their index.
template <class F>
void visitPotentials(F&& f) {
  f(LennardJonesEntry<Truncation::force>{"force_shifted", "Force-shifted Lennard-Jones (S2)"});
  f(LennardJonesEntry<Truncation::plain>{"truncated", "Truncated Lennard-Jones"});
  f(LennardJonesEntry<Truncation::energy>{"shifted", "Truncated and shifted Lennard-Jones"});
  f(WcaEntry{"wca", "Weeks-Chandler-Andersen (repulsive part)"});
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
