// Weeks, Chandler and Andersen (J. Chem. Phys. 54, 5237, 1971): the repulsive part, u_LJ + 1 up to
// the minimum at 2^(1/6).
#pragma once
#include "sim/core/potentials/entry.h"

namespace cellscope {

struct WcaEntry : ScaledEntry<WcaEntry> {
  static constexpr const char* kKey = "wca";
  static constexpr const char* kHelp =
      "the repulsive part alone, which ends at 2^(1/6) whatever the cutoff";
  static constexpr bool kSmooth = true;  // the force is 0 where it ends
  static constexpr double kEnd = 1.122462048309373;
  template <class Real>
  static auto make(const PairOfTypes&) {
    return makeLennardJones<Real, Truncation::energy>(kEnd);
  }
  static double cutoffFor(double) { return kEnd; }
};

}  // namespace cellscope
