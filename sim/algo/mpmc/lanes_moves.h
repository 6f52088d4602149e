// Trial moves of kLanes cells at a time (S3, Algorithm 2). For *_simd.cpp.
//
// The overlap test of a trial position a against a disk b uses
//   |a - b|^2 - 1 = (|a|^2 - 1) - (2 a.b - |b|^2),
// two fused operations and one maximum per disk. With |a|, |b| components below 2 sqrt 2 its
// rounding error stays below 120 units of 2^-24, less than kBand; lanes whose result lies within
// the band are decided by the exact rule. The outcome therefore always equals that of the scalar
// rule.
#pragma once
#include "sim/algo/mpmc/lanes_staging.h"

namespace cellscope::CELLSCOPE_SIMD {

// Random words and trial-move candidates of kLanes cells at a time; the same streams as
// sim/core/rng.h and sim/core/mpmc_rules.h.

// The uniform part of the counter and the key of every round of Philox 4x32-10.
struct PhiloxPlan {
  std::uint32_t low, high;  // counter words 2 and 3
  RoundKeys keys;
};

LANES_INLINE PhiloxPlan planOf(const CellRule& rule) {
  const std::uint32_t high = static_cast<std::uint32_t>(rule.sweep >> 32) & 0xffffffu;
  return {static_cast<std::uint32_t>(rule.sweep),
          (static_cast<std::uint32_t>(rule.purpose) << 24) | high, roundKeys(rule.key)};
}

inline constexpr std::uint32_t kPhilox0 = 0xd2511f53u, kPhilox1 = 0xcd9e8d57u;

// Philox for the even lanes of `id`; words in the even lanes of c. Rounds 1 and 2 are partly the
// same for all lanes and done in scalars.
LANES_INLINE void philoxEven(const PhiloxPlan& plan, std::uint32_t block, Int id, Int c[4]) {
  const Int m0 = broadcast(kPhilox0), m1 = broadcast(kPhilox1);
  const std::uint64_t first = std::uint64_t{plan.low} * kPhilox1;
  const std::uint32_t n0 = static_cast<std::uint32_t>(first >> 32) ^ block ^ plan.keys.k0[0];
  const std::uint64_t second = std::uint64_t{n0} * kPhilox0;
  const Int p = evenProducts(id, m0);
  const Int n2 = exclusiveOr(oddToEven(p), broadcast(plan.high ^ plan.keys.k1[0]));
  const Int q = evenProducts(n2, m1);
  c[0] = exclusiveOr(oddToEven(q), broadcast(static_cast<std::uint32_t>(first) ^ plan.keys.k0[1]));
  c[1] = q;
  c[2] = exclusiveOr(p, broadcast(static_cast<std::uint32_t>(second >> 32) ^ plan.keys.k1[1]));
  c[3] = broadcast(static_cast<std::uint32_t>(second));
  for (int r = 2; r < 10; ++r) {
    const Int p0 = evenProducts(c[0], m0), p1 = evenProducts(c[2], m1);
    c[0] = exclusiveOr(oddToEven(p1), c[1], broadcast(plan.keys.k0[r]));
    c[1] = p1;
    c[2] = exclusiveOr(oddToEven(p0), c[3], broadcast(plan.keys.k1[r]));
    c[3] = p0;
  }
}

// Words 0..3 of `block` for the cell ids of all lanes.
LANES_INLINE void drawLanes(const PhiloxPlan& plan, std::uint32_t block, Int id, Int words[4]) {
  Int even[4], odd[4];
  philoxEven(plan, block, id, even);
  philoxEven(plan, block, oddToEven(id), odd);
  for (int j = 0; j < 4; ++j) words[j] = weave(even[j], odd[j]);
}

LANES_INLINE Float candidateXOf(Int word) {
  return toFloat(shiftRightSigned<16>(shiftLeft<16>(word))) + broadcast(0.5f);
}
LANES_INLINE Float candidateYOf(Int word) {
  return toFloat(shiftRightSigned<16>(word)) + broadcast(0.5f);
}
// candidateInCircle(): the two squares and the two halves summed at once.
LANES_INLINE Mask inCircle(Int word) {
  const Int sum = add(pairProducts(word, word), pairProducts(word, broadcast(0x00010001u)));
  return greater(broadcast(1u << 30), sum);
}

inline constexpr int kMostMoves = 64;

// Accepted candidates of each lane in stream order, and the word that shuffles the slots.
struct Candidates {
  alignas(64) std::uint32_t word[kMostMoves][kLanes];
};

// Fill the first nMoves candidates of all `active` lanes; returns the shuffle words.
LANES_INLINE Int drawCandidates(const PhiloxPlan& plan, Int id, Mask active, int nMoves,
                                Candidates& out) {
  Int words[8], found = broadcast(0u);
  drawLanes(plan, 0, id, words);
  const Int shuffle = words[0];
  std::uint32_t block = 0;
  if (nMoves <= 4) {
    // From the last word of two blocks on: an accepted one moves those after it by a place.
    drawLanes(plan, 1, id, words + 4);
    Int first[4] = {found, found, found, found};
    for (int j = 7; j > 0; --j) {
      const Mask good = inCircle(words[j]);
      for (int k = 3; k > 0; --k) first[k] = select(good, first[k - 1], first[k]);
      first[0] = select(good, words[j], first[0]);
      found = increment(found, good);
    }
    for (int k = 0; k < 4; ++k) store(out.word[k], first[k]);
    block = 2;
  }
  const auto wanted = [&] {
    return both(active, greater(broadcast(static_cast<std::uint32_t>(nMoves)), found));
  };
  for (; any(wanted()); ++block) {
    if (block > 0) drawLanes(plan, block, id, words);
    for (int j = block == 0; j < 4; ++j) {
      const Mask good = inCircle(words[j]);
      for (int k = 0; k < nMoves; ++k) {
        const Mask here = both(good, equal(found, broadcast(static_cast<std::uint32_t>(k))));
        store(out.word[k], select(here, words[j], load(out.word[k])));
      }
      found = increment(found, good);
    }
  }
  return shuffle;
}

// shuffleSlots() for at most four slots per lane; order[s] = slot visited s-th.
LANES_INLINE void shuffleLanes(Int rest, Int n, Int order[4]) {
  for (std::uint32_t i = 0; i < 4; ++i) order[i] = broadcast(i);
  const auto swapWith = [&](std::uint32_t i, Int j, Mask turn) {
    Int taken = order[i];
    for (std::uint32_t k = 0; k < i; ++k) {
      const Mask here = both(turn, equal(j, broadcast(k)));
      const Int t = order[k];
      order[k] = select(here, order[i], t);
      taken = select(here, t, taken);
    }
    order[i] = taken;
  };
  const Mask four = greater(n, broadcast(3u)), three = greater(n, broadcast(2u)),
             two = greater(n, broadcast(1u));
  swapWith(3, shiftRight<30>(rest), four);
  rest = select(four, shiftLeft<2>(rest), rest);
  // 3 rest = 2 rest + rest: the high word is the carry of both steps.
  const Int top = broadcast(0x80000000u), twice = shiftLeft<1>(rest), thrice = add(twice, rest);
  const Mask carry = greater(exclusiveOr(twice, top), exclusiveOr(thrice, top));
  swapWith(2, increment(shiftRight<31>(rest), carry), three);
  rest = select(three, thrice, rest);
  swapWith(1, shiftRight<31>(rest), two);
}

inline constexpr float kBand = 1.0f / 65536.0f;

// The active cells of the lanes.
struct Own {
  Float x[kSlots], y[kSlots];
  Int n;
  int most;  // largest count of all lanes
};

// Exact squared distance (S3, Algorithm 2, line 19) to the nearest staged disk.
LANES_INLINE Float nearestStaged(const Staged& s, Float x, Float y) {
  Float smallest = broadcast(kFarSquared);
  for (int j = 0; j < s.n; ++j) {
    const Float dx = x - load(s.x[j]), dy = y - load(s.y[j]);
    smallest = minimum(smallest, dx * dx + dy * dy);
  }
  return smallest;
}

LANES_INLINE Mask blockedByNeighbours(const Staged& s, Float x, Float y, Mask asked) {
  const Float x2 = x + x, y2 = y + y, reach = x * x + y * y - broadcast(1.0f);
  Float a = broadcast(-1000.0f), b = a;
  int j = 0;
  for (; j + 1 < s.n; j += 2) {
    a = maximum(
        a, multiplyAdd(x2, load(s.x[j]), multiplySubtract(y2, load(s.y[j]), load(s.square[j]))));
    b = maximum(b, multiplyAdd(x2, load(s.x[j + 1]),
                               multiplySubtract(y2, load(s.y[j + 1]), load(s.square[j + 1]))));
  }
  if (j < s.n)
    a = maximum(
        a, multiplyAdd(x2, load(s.x[j]), multiplySubtract(y2, load(s.y[j]), load(s.square[j]))));
  const Float gap = reach - maximum(a, b);  // smallest |a - b|^2 - 1, nearly
  const Mask unsure = both(less(broadcast(-kBand), gap), less(gap, broadcast(kBand)));
  if (__builtin_expect(any(both(asked, unsure)), 0))
    return less(nearestStaged(s, x, y), broadcast(1.0f));
  return less(gap, broadcast(0.0f));
}

struct Moves {
  Float scale, w;
  int nMoves;
  bool shuffle, relax;
};

LANES_INLINE Float stepOf(Float half, Float scale) {
  return (half * scale + broadcast(3.0f)) - broadcast(3.0f);
}

// The same including the own cell; `self` are the moving disks.
template <int kMost>
LANES_INLINE Float nearestOfAll(const Own& own, const Staged& s, const Mask* self, Float x,
                                Float y) {
  Float smallest = nearestStaged(s, x, y);
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    const Float dx = x - own.x[j], dy = y - own.y[j];
    smallest = select(self[j], smallest, minimum(smallest, dx * dx + dy * dy));
  }
  return smallest;
}

// One trial move of every active lane: the disk at `slot`. No lane has more than kMost disks.
template <int kMost>
LANES_INLINE void tryLanes(Own& own, const Staged& s, const Moves& moves, Mask active, Int slot,
                           Int word, MpmcTally& tally) {
  Mask self[kSlots];
  Float x = own.x[0], y = own.y[0];
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    self[j] = equal(slot, broadcast(static_cast<std::uint32_t>(j)));
    if (j == 0) continue;
    x = select(self[j], own.x[j], x);
    y = select(self[j], own.y[j], y);
  }
  const Float oldX = x, oldY = y;
  x = x + stepOf(candidateXOf(word), moves.scale);
  y = y + stepOf(candidateYOf(word), moves.scale);
  const Mask inside = both(active, insideSquare(x, y, moves.w));
  Mask blocked = blockedByNeighbours(s, x, y, inside);
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    const Float dx = x - own.x[j], dy = y - own.y[j];
    blocked = either(blocked, without(less(dx * dx + dy * dy, broadcast(1.0f)), self[j]));
  }
  if (moves.relax && any(both(inside, blocked)))
    blocked = both(blocked, less(nearestOfAll<kMost>(own, s, self, x, y),
                                 nearestOfAll<kMost>(own, s, self, oldX, oldY)));
  const Mask accepted = without(inside, blocked);
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    const Mask here = both(accepted, self[j]);
    own.x[j] = select(here, x, own.x[j]);
    own.y[j] = select(here, y, own.y[j]);
  }
  const auto in = static_cast<unsigned>(countOf(inside));
  const auto won = static_cast<unsigned>(countOf(accepted));
  tally.accepted += won;
  tally.overlap += in - won;
  tally.leftCell -= in;  // attempted is added once per group
}

template <int kMost>
LANES_INLINE void tryAll(Own& own, const Staged& s, const Moves& moves, Mask active, Int shuffle,
                         const Candidates& candidates, MpmcTally& tally) {
  Int order[kSlots], turn = broadcast(0u);
  shuffleLanes(shuffle, moves.shuffle ? own.n : broadcast(0u), order);
  for (int move = 0; move < moves.nMoves; ++move) {
    Int slot = order[0];
#pragma GCC unroll 4
    for (std::uint32_t j = 1; j < kMost; ++j)
      slot = select(equal(turn, broadcast(j)), order[j], slot);
    tryLanes<kMost>(own, s, moves, active, slot, load(candidates.word[move]), tally);
    turn = add(turn, broadcast(1u));
    turn = select(equal(turn, own.n), broadcast(0u), turn);
  }
}

}  // namespace cellscope::CELLSCOPE_SIMD
