// Trial moves of kLanes cells at a time (S3, Algorithm 2). For *_simd.cpp.
//
// The overlap test of a trial position a against a disk b uses
//   |a - b|^2 - 1 = (|a|^2 - 1) - (2 a.b - |b|^2),
// two fused operations and one maximum per disk. With |a|, |b| components below 2 sqrt 2 its
// rounding error stays below 120 units of 2^-24, less than kBand; lanes whose result lies within
// the band are decided by the exact rule. The outcome therefore always equals that of the scalar
// rule.
#pragma once
#include "sim/algo/mpmc/lanes_random.h"
#include "sim/algo/mpmc/lanes_staging.h"

namespace cellscope::CELLSCOPE_SIMD {

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
