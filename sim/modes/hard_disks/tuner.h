// Finds the largest move d that reaches a target acceptance, then ends: moves are never tuned while
// sampling, because a proposal that depends on the past breaks detailed balance.
#pragma once
#include <cstdint>

namespace cellscope {

struct TunerState {
  bool active = false;
  double target = 0.4;
  std::uint64_t sweepsLeft = 0;  // of the present round
  std::uint64_t roundSweeps = 0;
  std::int64_t rounds = 0;
  std::int64_t hits = 0;  // successive rounds within the tolerance
  double acceptance = 0;  // of the last round
};

class Tuner {
 public:
  static constexpr std::int64_t kRounds = 60;

  TunerState state;

  // movesPerSweep: about, sets the length of a round.
  void begin(double target, double movesPerSweep);
  // `count` sweeps of the round were done.
  void sweepsDone(std::uint64_t count) { state.sweepsLeft -= count; }
  bool roundOver() const { return state.active && state.sweepsLeft == 0; }
  // Evaluate a round with move size d; returns the next d. When the search ends, active is false
  // and the value returned is final: on target, at the end of the range, or the last after kRounds.
  double evaluate(double d, std::uint64_t accepted, std::uint64_t attempted);
  double progress() const;  // 0..1
};

}  // namespace cellscope
