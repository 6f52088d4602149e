// Pair laws by types: parameters of each pair of species, and evaluators of them for kernels.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/algo/md/species.h"
#include "sim/core/potentials.h"

namespace cellscope {

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

template <class Pair>
struct OneLaw {
  Pair pair;
  HOST_DEVICE const Pair& of(std::uint32_t, std::uint32_t) const { return pair; }
};
template <class Pair>
struct LawByTypes {
  Pair pair[kMostTypes * kMostTypes];
  HOST_DEVICE const Pair& of(std::uint32_t a, std::uint32_t b) const {
    return pair[PairTable::at(a, b)];
  }
};

// Where the pair law of types a and b ends.
inline double pairCutoff(int potential, const SpeciesTable& s, int a, int b) {
  const double sigma = SpeciesTable::mixed(s.sigma, a, b);
  double end = 0;
  withPotentialEntry(potential, [&](auto entry) {
    end = sigma * entry.cutoffFor(SpeciesTable::mixed(s.cutoff, a, b) / sigma);
  });
  return end;
}

inline PairTable pairTable(int potential, const SpeciesTable& s, double buffer) {
  PairTable table;
  table.types = s.types;
  for (int a = 0; a < s.types; ++a)
    for (int b = 0; b <= a; ++b) table.set(a, b, pairCutoff(potential, s, a, b), buffer);
  return table;
}

// f(law) for the potential number `potential` and these species.
template <class Real, class F>
void withLaw(int potential, const SpeciesTable& s, F&& f) {
  withPotentialEntry(potential, [&](auto entry) {
    using Entry = decltype(entry);
    using Unit = decltype(Entry::template make<Real>(1.0));
    if (s.reduced()) {
      f(OneLaw<Unit>{Entry::template make<Real>(s.cutoff[0])});
      return;
    }
    LawByTypes<ScaledPair<Unit, Real>> law{};
    for (int a = 0; a < s.types; ++a)
      for (int b = 0; b < s.types; ++b) {
        const double sigma = SpeciesTable::mixed(s.sigma, a, b);
        const double end = pairCutoff(potential, s, a, b);
        law.pair[a * kMostTypes + b] = {
            Entry::template make<Real>(SpeciesTable::mixed(s.cutoff, a, b) / sigma),
            static_cast<Real>(end * end), static_cast<Real>(SpeciesTable::mixed(s.epsilon, a, b)),
            static_cast<Real>(sigma), static_cast<Real>(1.0 / (sigma * sigma))};
      }
    f(law);
  });
}

}  // namespace cellscope
