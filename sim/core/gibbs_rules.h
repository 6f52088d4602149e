// One move of the Gibbs ensemble (Panagiotopoulos, Mol. Phys. 61, 813 (1987)): two boxes of one
// temperature that exchange particles and volume. Their N and V together are fixed, so that
//   P(n_1, V_1, s) ~ V_1^n_1 V_2^n_2 / (n_1! n_2!) exp(-(U_1 + U_2) / T),
// s: positions as fractions of the boxes. Both boxes are squares or cubes.
//
// Exact where it can be: positions are fractions of 2^-32 of a side (gcmc_pair.h), which an
// exchange of volume leaves as they are, and V_1 is a multiple of 2^-32 of V_1 + V_2. Differences
// of energy are exact sums. Only exp(), log() and tail terms may differ in the last digit between
// libraries; that changes a decision about once in 10^15 moves.
//
// Slots: box 1 has 0 .. n_1 - 1, box 2 the others. A particle that changes its box is swapped to
// the border, which then moves past it.
#pragma once
#include <bit>

#include "sim/core/gcmc_rules.h"

namespace cellscope {

// Displacements are counted by box.
enum class GibbsKind : std::uint32_t { displacement1 = 0, displacement2 = 1, transfer, volume };
inline constexpr int kGibbsKinds = 4;
inline constexpr double kGibbsShare = 1.0 / 4294967296.0;  // 2^-32

struct GibbsRules {
  int dimension;
  RngKey key;                                      // hashSeed(seed)
  std::uint32_t pair;                              // number of the pair of boxes
  std::uint32_t n;                                 // particles of both boxes
  std::uint64_t displacementBelow, transferBelow;  // of 2^32; else volume
  double beta;                                     // 1 / T
  double volume;                                   // V_1 + V_2
  double tail;                                     // c in U_tail = c n^2 / V of a box
  double reach[2];                                 // maximum displacement in each box, sigma
  std::uint32_t volumeReach;  // largest exchange of volume, in 2^-32 of V_1 + V_2
  std::uint32_t least;        // smallest box, the same unit: its side is two cutoffs
  GcmcPair law;               // without the units of a box
};

// State of a pair of boxes beside its particles, and what was counted since it was cleared.
struct GibbsHead {
  std::uint64_t move;   // number of the next one
  std::uint32_t n1;     // particles in box 1
  std::uint32_t share;  // V_1 in 2^-32 of V_1 + V_2
  double energy[2];     // of the pairs of each box, without tail
  std::uint64_t attempted[kGibbsKinds], accepted[kGibbsKinds];
  std::uint64_t walls;          // exchanges of volume rejected because a box would be too small
  std::uint64_t insertions[2];  // trial insertions into each box, and the sum of
  double inserted[2];           // V / (n + 1) exp(-dU / T), whose mean is exp(-mu / T)

  HOST_DEVICE std::uint32_t count(const GibbsRules& r, int box) const {
    return box == 0 ? n1 : r.n - n1;
  }
  HOST_DEVICE std::uint32_t first(int box) const { return box == 0 ? 0 : n1; }
};

HOST_DEVICE double gibbsVolume(const GibbsRules& r, std::uint32_t share, int box) {
  const double part = box == 0 ? share : 4294967296.0 - share;
  return mulRn(r.volume, part * kGibbsShare);
}

// Side of a square or cube, with the same bits everywhere: five steps of Newton's method for the
// cube root, from 5 % on.
HOST_DEVICE double gibbsSide(int dimension, double volume) {
  if (dimension == 2) return sqrt(volume);
  double x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(volume) / 3 +
                                   (std::uint64_t{715094163} << 32));
  for (int k = 0; k < 5; ++k) x = addRn(addRn(x, x), volume / mulRn(x, x)) / 3.0;
  return x;
}

// A box of this share of the volume: what all its moves need.
struct GibbsBox {
  double volume, inverse;  // 1 / V
  double side;
  std::uint32_t reach;  // maximum displacement, in 2^-32 of the side
  GcmcPair law;
};
HOST_DEVICE GibbsBox gibbsBox(const GibbsRules& r, std::uint32_t share, int box) {
  GibbsBox b;
  b.volume = gibbsVolume(r, share, box);
  b.inverse = 1 / b.volume;
  b.side = gibbsSide(r.dimension, b.volume);
  const double part = r.reach[box] / b.side;
  b.reach = part < 0.5 ? static_cast<std::uint32_t>(part * 4294967296.0) : std::uint32_t{1} << 31;
  b.law = r.law;
  for (int k = 0; k < r.dimension; ++k) b.law.unit[k] = static_cast<float>(b.side * kGibbsShare);
  return b;
}

// All random numbers of one move. Of a transfer, the box that a particle leaves.
struct GibbsDraw {
  GibbsKind kind;  // displacement1: of any box
  std::uint32_t choice;
  GcmcPoint point;  // of an insertion; words of an offset or of an exchange of volume
  int from;
  double a;  // in (0, 1), to be compared with the acceptance probability
};

HOST_DEVICE GibbsDraw gibbsDraw(const GibbsRules& r, std::uint64_t move) {
  const Random4 first = draw(r.key, RngPurpose::gibbsMove, move, r.pair, 0);
  const Random4 second = draw(r.key, RngPurpose::gibbsMove, move, r.pair, 1);
  GibbsDraw d;
  d.kind = first.w[0] < r.displacementBelow ? GibbsKind::displacement1
           : first.w[0] < r.transferBelow   ? GibbsKind::transfer
                                            : GibbsKind::volume;
  d.choice = first.w[1];
  d.point = {first.w[2], first.w[3], r.dimension == 3 ? second.w[0] : 0u};
  d.from = static_cast<int>(second.w[3] >> 31);
  d.a = uniformOpen(second.w[1], second.w[2]);
  return d;
}

HOST_DEVICE GcmcPoint gibbsDisplaced(const GibbsRules& r, const GibbsDraw& d, GcmcPoint from,
                                     const GibbsBox& box) {
  return {from.x + gcmcOffset(d.point.x, box.reach), from.y + gcmcOffset(d.point.y, box.reach),
          r.dimension == 3 ? from.z + gcmcOffset(d.point.z, box.reach) : 0u};
}

// The share after an exchange of volume; 0: a box would be smaller than the smallest, and the move
// is rejected. The ensemble is the one of boxes that are not: proposals are symmetric.
HOST_DEVICE std::uint32_t gibbsExchanged(const GibbsRules& r, const GibbsDraw& d,
                                         std::uint32_t share) {
  const auto offset = static_cast<std::int32_t>(gcmcOffset(d.point.x, r.volumeReach));
  const std::int64_t next = std::int64_t{share} + offset;
  return next < r.least || next > 4294967296ll - r.least ? 0 : static_cast<std::uint32_t>(next);
}

// Acceptance probability of a transfer between boxes, and the term of the chemical potential.
// n, m: particles in the box that it leaves and in the one that it enters. entering, leaving: its
// pair energy there.
//   min(1, n_from V_to / ((n_to + 1) V_from) exp(-dU / T))
struct GibbsTransfer {
  double probability, inserted;
};
HOST_DEVICE GibbsTransfer gibbsTransfer(const GibbsRules& r, const GibbsBox& from,
                                        const GibbsBox& to, double n, double m, double entering,
                                        double leaving) {
  const double in = entering + r.tail * (2 * m + 1) * to.inverse;
  const double out = leaving + r.tail * (2 * n - 1) * from.inverse;
  const double room = to.volume / (m + 1);
  return {n * from.inverse * room * exp(-r.beta * (in - out)), room * exp(-r.beta * in)};
}

// Acceptance probability of an exchange of volume.
//   min(1, exp(-dU / T + n_1 ln(V_1' / V_1) + n_2 ln(V_2' / V_2)))
HOST_DEVICE double gibbsExchange(const GibbsRules& r, const GibbsHead& h, std::uint32_t share,
                                 const double energy[2]) {
  double exponent = 0;
  for (int box = 0; box < 2; ++box) {
    const double n = h.count(r, box);
    const double before = gibbsVolume(r, h.share, box), after = gibbsVolume(r, share, box);
    const double change = energy[box] - h.energy[box] + r.tail * n * n * (1 / after - 1 / before);
    exponent += n * log(after / before) - r.beta * change;
  }
  return exp(exponent);
}

}  // namespace cellscope
