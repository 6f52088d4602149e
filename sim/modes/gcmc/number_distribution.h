// ln P(N) from transition probabilities, at any chemical potential, and the coexistence that it
// shows.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/core/gcmc_rules.h"

namespace cellscope::gcmc {

// Unnormalised ln P(N), N = first, first + 1, ..., at a reference activity.
struct NumberDistribution {
  std::size_t first = 0;
  std::vector<double> lnP;

  // At an activity of exp(shift) times the reference, normalised: sum of P is 1.
  NumberDistribution at(double shift) const;
  double mean() const;  // of a normalised one
};

// From sums by N; oddsOfKinds: insertions over deletions attempted. The longest run of N from the
// first one known, where each of both directions was tried 20 times at least.
NumberDistribution distributionOf(const std::vector<GcmcTransition>& sums, double oddsOfKinds);

// Sums by N, as one chain or many together have made them.
using TransitionSums = std::vector<GcmcTransition>;
void addTo(TransitionSums& sums, const TransitionSums& more);
TransitionSums difference(const TransitionSums& a, const TransitionSums& b);

// Two phases of equal weight.
struct Coexistence {
  double shift;           // ln of the activity over the reference
  double vapour, liquid;  // mean N of each phase
  double lnWeight;        // ln(P(all vapour) / P(0)) = p V / T; NaN when N = 0 is not known
  double depth;           // of the minimum below the lower maximum, in ln P
};
// None where ln P(N) has no two maxima at any activity.
std::optional<Coexistence> coexistenceOf(const NumberDistribution& distribution);

}  // namespace cellscope::gcmc
