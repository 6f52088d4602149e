// The pair law of all pairs: of one species, or by types.
#pragma once
#include <algorithm>
#include <utility>

#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/verlet/pair_law.h"

namespace cellscope {

// f(law), law.of(a, b) being that of two types. Of one species: as onlyPair() has it.
template <class Real, class F>
void withAllPairsLaw(const PairSettings& s, F&& f) {
  if (s.species.types > 1) return withLaw<Real>(s.potential, s.species, std::forward<F>(f));
  withPotential<Real>(s.potential, s.onlyPair(),
                      [&](auto pair) { f(OneLaw<decltype(pair)>{pair}); });
}

// Beyond which no pair interacts, at most.
inline double longestCutoff(const PairSettings& s) {
  if (s.species.types == 1) return s.cutoff;
  double longest = 0;
  for (int a = 0; a < s.species.types; ++a)
    for (int b = 0; b <= a; ++b)
      longest = std::max(longest, pairCutoff(s.potential, s.species, a, b));
  return longest;
}

}  // namespace cellscope
