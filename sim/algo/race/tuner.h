// Tuners adjust a value round by round, then freeze it: proposals that depend on the past violate
// detailed balance, so that nothing is tuned during sampling.
#pragma once
#include <cstdint>
#include <vector>

namespace cellscope {

// --- A fraction with a target: the acceptance of trial moves ---

// State for checkpoints, besides the value itself.
struct TunerState {
  bool active = false;
  double target = 0.4;
  std::uint64_t stepsLeft = 0;  // of the present round
  std::uint64_t roundSteps = 0;
  std::int64_t rounds = 0;
  std::int64_t hits = 0;  // successive rounds within the tolerance
  double measured = 0;    // fraction in the last round
};

// Largest and smallest value, both above zero.
struct TunerRange {
  double smallest, largest;
};

class TargetTuner {
 public:
  static constexpr std::int64_t kRounds = 60;
  static constexpr std::int64_t kHits = 2;  // rounds on target, one after the other, to end with

  explicit TargetTuner(TunerRange range) : range_(range) {}

  TunerState state;

  // trialsPerStep: approximate; sets the length of a round.
  void begin(double target, double trialsPerStep);
  // `count` steps of the round were done; at most stepsLeft.
  void stepsDone(std::uint64_t count) { state.stepsLeft -= count; }
  bool roundOver() const { return state.active && state.stepsLeft == 0; }
  // Evaluate a round with this value; returns the next value. The fraction must fall when the value
  // rises. When the search ends, active is false and the value returned is final: on target, at the
  // end of the range, or the last after kRounds.
  double evaluate(double value, std::uint64_t accepted, std::uint64_t attempted);
  double progress() const;  // 0..1
  // It has ended, and not on target.
  bool missed() const { return !state.active && state.rounds > 0 && state.hits < kHits; }
  const TunerRange& range() const { return range_; }

 private:
  TunerRange range_;
};

// --- A cost to be minimised: the time per step over a buffer ---

// State for checkpoints.
struct MinimumState {
  bool active = false;
  double lo = 0, hi = 0;                       // bracket of the minimum
  std::int32_t rounds = 0;                     // of golden section done
  std::int32_t measured = 0;                   // costs of the present round
  static constexpr std::int32_t kRepeats = 3;  // of each of the two values of a round
  double cost[2][kRepeats] = {};
  double best = 0, bestCost = 0;  // better value of the last round, and its median cost
};

// Golden-section search on a logarithmic scale. In each round the two inner values are measured in
// turn, kRepeats times each, and their medians compared: neither a single outlier nor a slow drift
// decides. Of several minima it finds one.
class MinimumTuner {
 public:
  // tolerance: ends when hi / lo is below 1 + tolerance.
  explicit MinimumTuner(double tolerance = 0.05) : tolerance_(tolerance) {}

  MinimumState state;

  void begin(TunerRange range);
  // What to measure next while active, then the final value.
  double value() const;
  // The cost measured at value(), in any unit. Only while active.
  void add(double cost);
  double progress() const;  // 0..1

  // Every value measured since begin() with its median cost, for a chart; not in checkpoints.
  struct Sample {
    double value, cost;
  };
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  void closeRound();

  double tolerance_;
  std::vector<Sample> samples_;
};

// Four significant digits: a value that can be typed again.
double roundedValue(double value);

}  // namespace cellscope
