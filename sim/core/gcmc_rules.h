// One move of the grand-canonical chain (S0, Algorithm 1): its random numbers as a pure function of
// (seed, chain, move number), the trial it proposes, and the acceptance rule. Every engine that
// follows these rules makes the decisions of the serial chain.
//
// Decisions are the same on all backends: choice and points are integers, energy differences are
// exact sums (gcmc_pair.h). Only exp() and the tail term are doubles that may differ in the last
// digit between libraries; that changes a decision about once in 10^15 moves.
//
// Choice by rank: particles lie in dense slots 0 .. N - 1; slot floor(choice N / 2^32) is chosen.
// An inserted particle takes slot N; a deleted one leaves its slot to the particle of slot N - 1.
// At N = 0 displacement and deletion are attempted and rejected. The particle inserted by move m
// has the id idBase + m: unique, never reused, and known without a counter.
//
// In a mixture of activities z_A and z_B the type of an inserted particle is drawn, B with the
// probability y = z_B / (z_A + z_B), and any particle may be deleted: with z = z_A + z_B and N of
// both types the rules are those of one. An exchange gives a particle a type that is drawn in the
// same way, and is accepted as a displacement: y cancels between a move and its reverse.
#pragma once
#include "sim/core/gcmc_pair.h"

namespace cellscope {

enum class GcmcKind : std::int32_t { displacement = 0, insertion = 1, deletion = 2, exchange = 3 };
inline constexpr int kGcmcKinds = 4;

inline namespace GCMC_TYPES {

// Of what a kernel makes: exchanges are the last.
inline constexpr int kGcmcKindsMade = kGcmcMixtures ? kGcmcKinds : kGcmcKinds - 1;

// A particle stays in the box with another position or type. Exchanges are of mixtures
// (gcmcIsMixed()).
HOST_DEVICE bool gcmcStays(GcmcKind kind) {
#if !defined(__CUDA_ARCH__) || defined(CELLSCOPE_GCMC_MIXTURES)
  if (kind == GcmcKind::exchange) return true;
#endif
  return kind == GcmcKind::displacement;
}

}  // namespace GCMC_TYPES

// Acceptance probabilities met at one N, at the activity GcmcRules::reference times the chain's
// own: their means give P(N + 1) / P(N) = <acceptance of insertions at N> / <of deletions at N + 1>
// (transition matrix, Fitzgerald, Picard and Silver 1999), whatever activity the chain runs at, as
// configurations of N particles do not depend on it.
struct GcmcTransition {
  double up, insertions;  // sum of acceptance probabilities, and of how many attempts
  double down, deletions;
};

struct GcmcRules {
  int dimension;
  RngKey key;           // hashSeed(seed)
  std::uint32_t chain;  // number of the chain, 0 for the only one
  // Kind: displacement below the first, exchange below the second, insertion below the third, else
  // deletion; of 2^32.
  std::uint64_t displacementBelow, exchangeBelow, insertionBelow;
  std::uint64_t typeBBelow;  // drawn types are B below it, of 2^32
  std::uint32_t reach[3];    // maximum displacement along each axis / length * 2^32, at most 2^31
  double beta;               // 1 / T
  double insertFactor;       // z V p_deletion / p_insertion
  double deleteFactor;       // p_insertion / (z V p_deletion)
  double added;              // 1: insertions divide by N + 1; 0 (wrong on purpose): by N
  double tail;               // c / V in U_tail = c N^2 / V; 0 without correction
  GcmcPair pair;
  // Window of N: insertions at `most` and deletions at `least` are rejected; most = 0: none.
  std::uint32_t least, most;
  GcmcTransition* transitions;  // by N, below `transitionCount`; null: not wanted
  std::uint32_t transitionCount;
  double reference;
};

inline namespace GCMC_TYPES {

HOST_DEVICE GcmcKind gcmcKindOf(const GcmcRules& r, std::uint32_t word) {
  return word < r.displacementBelow                      ? GcmcKind::displacement
         : gcmcIsMixed(r.pair) && word < r.exchangeBelow ? GcmcKind::exchange
         : word < r.insertionBelow                       ? GcmcKind::insertion
                                                         : GcmcKind::deletion;
}
HOST_DEVICE std::uint32_t gcmcDrawnType(const GcmcRules& r, std::uint32_t word) {
  return word < r.typeBBelow ? kGcmcTypeBit : 0u;
}

// All random numbers of one move.
struct GcmcDraw {
  GcmcKind kind;
  std::uint32_t choice;  // of the particle, by rank
  GcmcPoint point;       // of an insertion; for a displacement, words of the offset; of an exchange
                         // the type
  double a;              // in (0, 1), to be compared with the acceptance probability
};

HOST_DEVICE GcmcDraw gcmcDraw(const GcmcRules& r, std::uint64_t move) {
  const Random4 first = draw(r.key, RngPurpose::gcmcMove, move, r.chain, 0);
  const Random4 second = draw(r.key, RngPurpose::gcmcMove, move, r.chain, 1);
  GcmcDraw d;
  d.kind = gcmcKindOf(r, first.w[0]);
  d.choice = first.w[1];
  d.point = {first.w[2], first.w[3], r.dimension == 3 ? second.w[0] : 0u};
  d.a = uniformOpen(second.w[1], second.w[2]);
  if (gcmcIsMixed(r.pair) && d.kind != GcmcKind::displacement)
    d.point = gcmcWithType(d.point, gcmcDrawnType(r, second.w[3]));
  return d;
}

// The slot that is chosen among n >= 1 particles.
HOST_DEVICE std::uint32_t gcmcSlot(const GcmcDraw& d, std::uint32_t n) {
  return scaleWord(d.choice, n);
}

// Offset within [-reach, reach], exactly as likely as its opposite: odd words are symmetric about
// zero, and so is division that truncates.
HOST_DEVICE std::uint32_t gcmcOffset(std::uint32_t word, std::uint32_t reach) {
  const std::int64_t odd = static_cast<std::int32_t>(word | 1u);
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(odd * reach / 2147483648ll));
}

// Along x, where the type of a mixture stays: an even one, still as likely as its opposite.
HOST_DEVICE std::uint32_t gcmcOffsetX(const GcmcRules& r, std::uint32_t word) {
  const std::uint32_t offset = gcmcOffset(word, r.reach[0]);
  return gcmcIsMixed(r.pair) ? static_cast<std::uint32_t>(static_cast<std::int32_t>(offset) / 2 * 2)
                             : offset;
}

// Trial position, or type, of a particle at `from` that stays; periodic by the wrap of the words.
HOST_DEVICE GcmcPoint gcmcDisplaced(const GcmcRules& r, const GcmcDraw& d, GcmcPoint from) {
  if (gcmcIsMixed(r.pair) && d.kind == GcmcKind::exchange)
    return gcmcWithType(from, gcmcTypeOf(d.point));
  return {from.x + gcmcOffsetX(r, d.point.x), from.y + gcmcOffset(d.point.y, r.reach[1]),
          r.dimension == 3 ? from.z + gcmcOffset(d.point.z, r.reach[2]) : 0u};
}

// Change of the tail energy when a particle comes or goes, n before the move: c (2n + 1) / V and
// -c (2n - 1) / V, as U_tail is not linear in N.
HOST_DEVICE double gcmcTailChange(const GcmcRules& r, GcmcKind kind, std::uint32_t n) {
  if (gcmcStays(kind)) return 0.0;
  const double twice = 2.0 * n;
  return kind == GcmcKind::insertion ? r.tail * (twice + 1.0) : -r.tail * (twice - 1.0);
}

// n: particles before the move, at least 1 unless it is an insertion. dU: change of the pair energy
// by the move. Lambda = 1 (S0 eqs. (3)-(5) with the sign of mu in eq. (4) put right):
//   displacement, exchange  min(1, exp(-dU / T))
//   insertion     min(1, z V / (N + 1) exp(-dU / T) p_deletion / p_insertion)
//   deletion      min(1, N / (z V)     exp(-dU / T) p_insertion / p_deletion)
// boltzmann: exp(-dU / T) with the tail; probability: the second argument of min().
struct GcmcDecision {
  bool accepted;
  double boltzmann, probability;
};
HOST_DEVICE GcmcDecision gcmcDecide(const GcmcRules& r, const GcmcDraw& d, std::uint32_t n,
                                    double dU) {
  const double boltzmann = exp(-r.beta * (dU + gcmcTailChange(r, d.kind, n)));
  if (gcmcStays(d.kind)) return {d.a < boltzmann, boltzmann, boltzmann};
  if (d.kind == GcmcKind::insertion) {
    const double factor = r.insertFactor * boltzmann;
    const bool open = r.most == 0 || n < r.most;
    return {open && d.a * (n + r.added) < factor, boltzmann, factor / (n + r.added)};
  }
  const double factor = n * r.deleteFactor * boltzmann;
  return {n > r.least && d.a < factor, boltzmann, factor};
}
HOST_DEVICE void gcmcAdd(GcmcTransition& to, const GcmcTransition& t) {
  to.up += t.up, to.insertions += t.insertions;
  to.down += t.down, to.deletions += t.deletions;
}
// What an attempt adds to the row of n, accepted or not.
HOST_DEVICE GcmcTransition gcmcTransition(const GcmcRules& r, const GcmcDraw& d, std::uint32_t n,
                                          double dU) {
  if (gcmcStays(d.kind)) return {0, 0, 0, 0};
  const double probability = gcmcDecide(r, d, n, dU).probability;
  const bool up = d.kind == GcmcKind::insertion;
  const double p = up ? probability * r.reference : probability / r.reference;
  const double least = p < 1 ? p : 1.0;
  return up ? GcmcTransition{least, 1, 0, 0} : GcmcTransition{0, 0, least, 1};
}
HOST_DEVICE void gcmcCollect(const GcmcRules& r, const GcmcDraw& d, std::uint32_t n, double dU) {
  if (r.transitions == nullptr || n >= r.transitionCount) return;
  gcmcAdd(r.transitions[n], gcmcTransition(r, d, n, dU));
}
HOST_DEVICE bool gcmcAccepts(const GcmcRules& r, const GcmcDraw& d, std::uint32_t n, double dU) {
  return gcmcDecide(r, d, n, dU).accepted;
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
