// State of a grand-canonical chain on the host, and what its rules are made of.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/box.h"
#include "sim/base/particle_id.h"
#include "sim/core/gcmc_rules.h"

namespace cellscope {

// Slots are dense: 0 .. N - 1, in the order that the chain gives them (gcmc_rules.h). The state and
// the rules determine every later decision.
struct GcmcState {
  Box box;
  std::vector<GcmcPoint> point;  // by slot
  std::vector<ParticleId> id;    // by slot
  std::uint64_t move = 0;        // number of the next move
  ParticleId idBase = 0;         // above the ids of all particles of move 0
  // Running share of accepted moves, from which speculative moves choose how many to evaluate at
  // once; 0: not known yet. Decisions do not depend on it.
  double acceptance = 0;
  // Pair energy with the rules that it is uploaded with, where it is known: a method without cells
  // needs N^2 / 2 pairs to find it.
  std::optional<double> energy = {};
  // Slots per cell of the chain by slot; an engine that had other ones takes them over again. 0: as
  // its options say.
  std::uint32_t slots = 0;

  std::uint32_t count() const { return static_cast<std::uint32_t>(point.size()); }
};

inline constexpr int kGcmcMostCandidates = 32;

// Of speculative moves (speculative.h): rounds, moves evaluated in them, moves that counted, and
// rounds by the number of moves that counted. What was evaluated beyond that was discarded.
struct GcmcSpeculation {
  std::uint64_t rounds = 0, evaluated = 0, decided = 0;
  std::uint64_t roundsOf[kGcmcMostCandidates + 1] = {};
};

// Attempts and acceptances by kind, since the state was set or the counters were cleared.
struct GcmcCounters {
  std::uint64_t attempted[kGcmcKinds] = {}, accepted[kGcmcKinds] = {};
  GcmcSpeculation speculation;
};

// What a chain is asked to sample.
struct GcmcSettings {
  std::uint64_t seed = 1;
  std::uint32_t chain = 0;
  double temperature = 1;
  double activity = 0.1;          // z, 1 / volume, Lambda = 1
  double ratio[kGcmcKinds] = {};  // by GcmcKind: sum 1
  double maxDisplacement = 0.1;   // sigma, along each axis, at most half the box
  bool anywhere = false;          // displacements to any point of the box (S0, 3.1.2)
  int potential = lennardJones(Truncation::plain);  // index in sim/core/potentials.h, an exact one
  PairOfTypes like = {};  // what the law depends on beside the cutoff; sigma = epsilon = 1
  double cutoff = 2.5;    // 0: ideal gas
  bool hard = false;      // spheres of diameter 1 without other potential; cutoff kContactReach
  bool tail = false;
  // A mixture of two types: the part of B in the activity, and sigma and epsilon of pairs AA, AB
  // and BB; without tail.
  bool mixed = false;
  double shareB = 0, sigma[3] = {1, 1, 1}, epsilon[3] = {1, 1, 1};
  // Wrong on purpose: the sign of mu in the acceptance of insertions as S0 eq. (4) prints it, and
  // z V / N in place of z V / (N + 1).
  bool signAsPrinted = false, oldNumber = false;

  PairOfTypes pair() const {
    PairOfTypes p = like;
    p.cutoff = cutoff;
    return p;
  }
};

GcmcPair makeGcmcPair(const GcmcSettings& settings, const Box& box);
// What lies beyond the cutoff; 0 without correction.
TailConstants tailOf(const GcmcSettings& settings, int dimension);

// Ratios are rounded to 2^-32 and the acceptance rule uses the rounded ones.
GcmcRules makeGcmcRules(const GcmcSettings& settings, const Box& box);

// Coordinates in [0, length), and the nearest word of a coordinate of the box.
Vec3d gcmcPosition(const Box& box, GcmcPoint point);
GcmcPoint gcmcPointAt(const Box& box, Vec3d position);

// What one move did.
struct GcmcEvent {
  std::uint64_t move;
  GcmcKind kind;
  bool accepted;
  ParticleId id;     // -1: none (N = 0)
  GcmcPoint before;  // position before; of an insertion the trial point
  GcmcPoint after;   // trial position; of a deletion the position before
  double change;     // of the pair energy by the trial
};

// Sums over unique pairs, by brute force: O(N^2).
struct GcmcSums {
  double energy = 0, virial = 0;  // without tail
};
GcmcSums gcmcOwnPair(const GcmcPair& pair, std::uint32_t type);  // of two of a type at one place
GcmcSums gcmcBruteForce(const GcmcPair& pair, const std::vector<GcmcPoint>& points);

}  // namespace cellscope
