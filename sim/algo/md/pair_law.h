// Pair laws by types: parameters of each pair of species, and evaluators of them for kernels.
#pragma once
#include <tuple>

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
template <int potential>
using PotentialAt = std::tuple_element_t<potential, Potentials>;
template <int potential, class Real = float>
using OneLawAt =
    OneLaw<decltype(PotentialAt<potential>::template make<Real>(std::declval<PairOfTypes>()))>;
template <int potential, class Real = float>
using LawByTypesAt = LawByTypes<decltype(PotentialAt<potential>::template ofTypes<Real>(
    std::declval<PairOfTypes>()))>;

// Kernels that evaluate the law are compiled in one file per potential and backend, which CMake
// writes (sim/CMakeLists.txt): it instantiates templates over the number of the potential. Where
// several potentials have laws of one class, the first of them has its code.
template <int potential, bool byTypes, int first = 0>
constexpr int firstAlike() {
  constexpr bool alike = byTypes ? std::is_same_v<LawByTypesAt<first>, LawByTypesAt<potential>>
                                 : std::is_same_v<OneLawAt<first>, OneLawAt<potential>>;
  if constexpr (alike)
    return first;
  else
    return firstAlike<potential, byTypes, first + 1>();
}
// f(std::integral_constant<int, the number of the file with the law>).
template <class F, int k = 0>
void withLawFile(const AnyLaw& any, const F& f) {
  if constexpr (k < kPotentials) {
    if (any.potential != k) return withLawFile<F, k + 1>(any, f);
    if (any.byTypes)
      f(std::integral_constant<int, firstAlike<k, true>()>{});
    else
      f(std::integral_constant<int, firstAlike<k, false>()>{});
  }
}
// f(law) in the file number `potential`.
template <int potential, class Real = float, class F>
void withLawOfFile(const AnyLaw& any, const F& f) {
  if constexpr (firstAlike<potential, true>() == potential)
    if (any.byTypes) f(*static_cast<const LawByTypesAt<potential, Real>*>(any.law));
  if constexpr (firstAlike<potential, false>() == potential)
    if (!any.byTypes) f(*static_cast<const OneLawAt<potential, Real>*>(any.law));
}
// In place of a law, where it is not known yet.
struct NoLaw {
  static constexpr bool kByTypes = false;
};

// What needs the law by type, work(law), is compiled in the files of laws: they instantiate this,
// and have run() of it from law_file.h. Numbers of the law are of Work::Real.
template <class Work, int potential>
struct LawFile {
  static void run(const Work& work, const AnyLaw& any);
};
template <class Work>
void runWithLaw(const Work& work, const AnyLaw& any) {
  withLawFile(any, [&](auto file) { LawFile<Work, decltype(file)::value>::run(work, any); });
}

// f(law), in whichever file the law is compiled.
void withAnyLaw(const AnyLaw& any, const auto& f) {
  withLawFile(any, [&](auto file) { withLawOfFile<decltype(file)::value>(any, f); });
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

// f(AnyLaw): by types, or of one species of sigma = epsilon = 1.
void withSomeLaw(const PairSettings& s, const auto& f) {
  withLaw<float>(s.potential, s.species,
                 [&](const auto& law) { f(anyLaw(s.potential, s.species.types, law)); });
}

// f(AnyLaw) of all pairs: by types, or of one species as onlyPair() has it. Its numbers are of
// Real.
template <class Real, class F>
void withAllPairsLaw(const PairSettings& s, const F& f) {
  const auto given = [&](const auto& law) { f(anyLaw(s.potential, s.species.types, law)); };
  if (s.species.types > 1) return withLaw<Real>(s.potential, s.species, given);
  withPotential<Real>(s.potential, s.onlyPair(),
                      [&](auto pair) { given(OneLaw<decltype(pair)>{pair}); });
}

// Beyond which no pair interacts: as the law has it, which may not be the cutoff asked for.
inline double longestCutoff(const PairSettings& s) {
  return s.species.types == 1 ? pairEnd(s.potential, s.onlyPair())
                              : longestReach(s.potential, s.species);
}

}  // namespace cellscope
