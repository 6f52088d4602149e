// Lennard-Jones, truncated, and shifted so that the energy ends at zero.
#pragma once
#include "sim/core/potentials/entry.h"

namespace cellscope {

struct ShiftedEntry : ScaledEntry<ShiftedEntry> {
  static constexpr const char* kKey = "shifted";
  static constexpr const char* kHelp = "the force jumps at the cutoff";
  template <class Real>
  static auto make(const PairOfTypes& p) {
    return makeLennardJones<Real, Truncation::energy>(p.cutoff);
  }
};

}  // namespace cellscope
