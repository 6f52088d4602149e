// Speculative moves: the next k moves of the serial chain are evaluated at once against the present
// state. Those before the first accepted one are rejected as in the serial chain, that one is
// carried out, and what comes after it is evaluated again with the new state: the decisions of the
// serial chain, bit for bit, faster where most moves are rejected. On CUDA what comes after it is
// put right where that can be done (ahead_decide.cuh), and only the rest is evaluated again.
#pragma once
#include "sim/algo/gcmc/engine.h"

namespace cellscope {

// Wrong on purpose. With A the share of moves that a state accepts, the chain that counts discarded
// moves leaves it at a rate (1 - (1 - A)^k) / (k A) times the right one, and so is found in it that
// much too often. One that carries out all that are accepted does not see its own moves.
enum class GcmcSpeculativeExperiment {
  none,
  applyAll,       // all candidates that are accepted are carried out
  countDiscarded  // those after the accepted one are not evaluated again: they count as rejected
};

struct GcmcSpeculating {
  int fixed = 0;  // candidates; 0: as many as it takes until about this number are accepted:
  double accepted = 1;
  int together = 1;  // candidates that take no longer than one
  GcmcSpeculativeExperiment experiment = GcmcSpeculativeExperiment::none;
};

// Candidates of the round that begins with a move. The chains that are wrong depend on them: their
// rounds begin at multiples of k.
HOST_DEVICE int gcmcCandidates(const GcmcSpeculating& s, double acceptance, std::uint64_t move) {
  constexpr int kOfExperiments = 16;
  if (s.experiment != GcmcSpeculativeExperiment::none) {
    const int k = s.fixed > 0 ? s.fixed : kOfExperiments;
    return k - static_cast<int>(move % static_cast<std::uint64_t>(k));
  }
  if (s.fixed > 0) return s.fixed;
  constexpr double kFirst = 1.0 / 8;
  const double a = acceptance > 0 ? acceptance : kFirst;
  if (a * kGcmcMostCandidates <= s.accepted) return kGcmcMostCandidates;
  const double wanted = s.accepted / a;
  const double whole = wanted > s.together ? s.together : 1.0;
  const double k = static_cast<double>(static_cast<int>(wanted / whole + 0.5)) * whole;
  return k < 1 ? 1 : k > kGcmcMostCandidates ? kGcmcMostCandidates : static_cast<int>(k);
}

// GcmcState::acceptance after a round in which `decided` moves counted and `accepted` of them were.
HOST_DEVICE double gcmcRunningAcceptance(double before, int decided, int accepted) {
  constexpr double kWeight = 1.0 / 256, kFirst = 1.0 / 8, kLeast = 1.0 / 4096;
  const double a = before > 0 ? before : kFirst;
  const double next = a + kWeight * (accepted - a * decided);
  return next > kLeast ? next : kLeast;
}

HOST_DEVICE void gcmcNoteRound(GcmcSpeculation& s, int evaluated, int decided) {
  s.rounds++;
  s.evaluated += static_cast<std::uint64_t>(evaluated);
  s.decided += static_cast<std::uint64_t>(decided);
  s.roundsOf[decided]++;
}

inline GcmcSpeculating gcmcSpeculating(const GcmcOptions& o) {
  GcmcSpeculating s;
  s.fixed = o.candidates;
  s.experiment = static_cast<GcmcSpeculativeExperiment>(o.speculativeExperiment);
  return s;
}

}  // namespace cellscope
