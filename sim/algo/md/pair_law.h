// Pair laws by types: parameters of each pair of species, and evaluators of them for kernels.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/algo/md/species.h"
#include "sim/algo/md/state.h"
#include "sim/core/potentials.h"

namespace cellscope {

template <class Pair>
struct OneLaw {
  static constexpr bool kByTypes = false;
  Pair pair;
  HOST_DEVICE const Pair& of(std::uint32_t, std::uint32_t) const { return pair; }
};
template <class Pair>
struct LawByTypes {
  static constexpr bool kByTypes = true;
  Pair pair[kMostTypes * kMostTypes];
  HOST_DEVICE const Pair& of(std::uint32_t a, std::uint32_t b) const {
    return pair[PairTable::at(a, b)];
  }
};

// A law in single precision as it is passed to functions that are compiled apart: OneLaw or
// LawByTypes of the potential number `potential`.
struct AnyLaw {
  int potential, types;
  bool byTypes;
  const void* law;
};
template <class Law>
AnyLaw anyLaw(int potential, int types, const Law& law) {
  return {potential, types, Law::kByTypes, &law};
}
// f(law).
template <class F>
void withAnyLaw(const AnyLaw& any, const F& f) {
  withPotentialEntry(any.potential, [&](auto entry) {
    using Entry = decltype(entry);
    using One = OneLaw<decltype(Entry::template make<float>(PairOfTypes{}))>;
    using Types = LawByTypes<decltype(Entry::template ofTypes<float>(PairOfTypes{}))>;
    if (any.byTypes)
      f(*static_cast<const Types*>(any.law));
    else
      f(*static_cast<const One*>(any.law));
  });
}

inline PairOfTypes pairOfTypes(const SpeciesTable& s, int a, int b) {
  PairOfTypes p{s.sigmaOf(a, b), s.epsilonOf(a, b), s.cutoffOf(a, b), s.radius[a], s.radius[b]};
  for (int k = 0; k < kMostOwn; ++k)
    p.ownA[k] = s.own[k][a], p.ownB[k] = s.own[k][b], p.whole[k] = s.whole[k];
  p.truncation = s.truncation;
  return p;
}

// Where a pair law ends; that of types a and b.
inline double pairEnd(int potential, const PairOfTypes& pair) {
  double end = 0;
  withPotentialEntry(potential, [&](auto entry) { end = decltype(entry)::end(pair); });
  return end;
}
inline double pairCutoff(int potential, const SpeciesTable& s, int a, int b) {
  return pairEnd(potential, pairOfTypes(s, a, b));
}
// Of all pairs of types, the furthest.
inline double longestReach(int potential, const SpeciesTable& s) {
  double longest = 0;
  for (int a = 0; a < s.types; ++a)
    for (int b = 0; b <= a; ++b) longest = std::max(longest, pairCutoff(potential, s, a, b));
  return longest;
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
    using Unit = decltype(Entry::template make<Real>(PairOfTypes{}));
    if (s.reduced()) {
      f(OneLaw<Unit>{Entry::template make<Real>(pairOfTypes(s, 0, 0))});
      return;
    }
    LawByTypes<decltype(Entry::template ofTypes<Real>(PairOfTypes{}))> law{};
    for (int a = 0; a < s.types; ++a)
      for (int b = 0; b < s.types; ++b)
        law.pair[a * kMostTypes + b] = Entry::template ofTypes<Real>(pairOfTypes(s, a, b));
    f(law);
  });
}

// The pair law of all pairs: of one species, or by types.
//
// f(law), law.of(a, b) being that of two types. Of one species: as onlyPair() has it.
template <class Real, class F>
void withAllPairsLaw(const PairSettings& s, F&& f) {
  if (s.species.types > 1) return withLaw<Real>(s.potential, s.species, std::forward<F>(f));
  withPotential<Real>(s.potential, s.onlyPair(),
                      [&](auto pair) { f(OneLaw<decltype(pair)>{pair}); });
}

// Beyond which no pair interacts: as the law has it, which may not be the cutoff asked for.
inline double longestCutoff(const PairSettings& s) {
  return s.species.types == 1 ? pairEnd(s.potential, s.onlyPair())
                              : longestReach(s.potential, s.species);
}

}  // namespace cellscope
