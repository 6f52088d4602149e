// Lennard-Jones, truncated (S2, eq. (2)).
#pragma once
#include "sim/core/potentials/entry.h"

namespace cellscope {

struct TruncatedEntry : ScaledEntry<TruncatedEntry> {
  static constexpr const char* kKey = "truncated";
  static constexpr const char* kHelp =
      "energy and force jump at the cutoff, so that the total energy drifts";
  static constexpr bool kContinuousEnergy = false, kTail = true;
  template <class Real>
  static auto make(const PairOfTypes& p) {
    return makeLennardJones<Real, Truncation::plain>(p.cutoff);
  }
};

}  // namespace cellscope
