// The pair law of all pairs: of one species, or by types.
#pragma once
#include <utility>

#include "sim/algo/md/state.h"
#include "sim/algo/verlet/pair_law.h"

namespace cellscope {

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
