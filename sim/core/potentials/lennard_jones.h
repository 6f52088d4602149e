// Lennard-Jones and its four ends.
#pragma once
#include "sim/core/gcmc_tail.h"
#include "sim/core/potentials/entry.h"

namespace cellscope {

template <class Entry, Truncation truncation>
struct LennardJonesEntry : ScaledEntry<Entry> {
  static constexpr Truncation kTruncation = truncation;
  template <class Real>
  static LennardJonesForm form(const PairOfTypes&) {
    return {};
  }
};

// The force is shifted so that it ends at zero (S2, eq. (3)).
struct ForceShiftedEntry : LennardJonesEntry<ForceShiftedEntry, Truncation::force> {
  static constexpr const char* kKey = "force_shifted";
  static constexpr const char* kHelp =
      "energy and force go to zero at the cutoff, and energy is conserved best";
};

// S2, eq. (2).
struct TruncatedEntry : LennardJonesEntry<TruncatedEntry, Truncation::plain> {
  static constexpr const char* kKey = "truncated";
  static constexpr const char* kHelp =
      "energy and force jump at the cutoff, so that the total energy drifts";
  static std::optional<TailConstants> tail(const PairOfTypes& p, int dimension) {
    return TailConstants{tailEnergy(dimension, p.cutoff), tailPressure(dimension, p.cutoff)};
  }
};

struct ShiftedEntry : LennardJonesEntry<ShiftedEntry, Truncation::energy> {
  static constexpr const char* kKey = "shifted";
  static constexpr const char* kHelp = "the force jumps at the cutoff";
};

// Weeks, Chandler and Andersen (J. Chem. Phys. 54, 5237, 1971): the repulsive part, u_LJ + 1 up to
// the minimum at 2^(1/6), where the force is 0.
struct WcaEntry : LennardJonesEntry<WcaEntry, Truncation::energy> {
  static constexpr const char* kKey = "wca";
  static constexpr const char* kHelp =
      "the repulsive part alone, which ends at 2^(1/6) whatever the cutoff";
  static constexpr double kEnd = 1.122462048309373;
  static double cutoffFor(double) { return kEnd; }
  static bool smooth(const PairOfTypes&) { return true; }
};

}  // namespace cellscope
