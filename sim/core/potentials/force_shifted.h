// Lennard-Jones whose force is shifted so that it ends at zero (S2, eq. (3)).
#pragma once
#include "sim/core/potentials/entry.h"

namespace cellscope {

struct ForceShiftedEntry : ScaledEntry<ForceShiftedEntry> {
  static constexpr const char* kKey = "force_shifted";
  static constexpr const char* kHelp =
      "energy and force go to zero at the cutoff, and energy is conserved best";
  static constexpr bool kSmooth = true;
  template <class Real>
  static auto make(const PairOfTypes& p) {
    return makeLennardJones<Real, Truncation::force>(p.cutoff);
  }
};

}  // namespace cellscope
