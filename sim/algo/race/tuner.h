// Tuners adjust a value round by round, then freeze it: proposals that depend on the past violate
// detailed balance, so that nothing is tuned during sampling.
#pragma once
#include <algorithm>
#include <cmath>

#include "sim/algo/race/race.h"
#include "sim/base/error.h"

namespace cellscope {

// Four significant digits: a value that can be typed again.
inline double roundedValue(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3);
  return std::round(value / unit) * unit;
}

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
  void begin(double target, double trialsPerStep) {
    state = {};
    state.active = true;
    state.target = target;
    state.roundSteps = static_cast<std::uint64_t>(
        std::clamp(std::ceil(kTrialsPerRound / std::max(trialsPerStep, 1.0)), 4.0, 5000.0));
    state.stepsLeft = state.roundSteps;
  }
  // `count` steps of the round were done; at most stepsLeft.
  void stepsDone(std::uint64_t count) { state.stepsLeft -= count; }
  bool roundOver() const { return state.active && state.stepsLeft == 0; }
  // Evaluate a round with this value; returns the next value. The fraction must fall when the value
  // rises. When the search ends, active is false and the value returned is final: on target, at the
  // end of the range, or the last after kRounds.
  double evaluate(double value, std::uint64_t accepted, std::uint64_t attempted) {
    state.stepsLeft = state.roundSteps;
    ++state.rounds;
    if (attempted == 0) {
      state.active = false;
      return value;
    }
    const double n = static_cast<double>(attempted);
    state.measured = static_cast<double>(accepted) / n;
    const double noise = 3 * std::sqrt(state.target * (1 - state.target) / n);
    const bool onTarget = std::fabs(state.measured - state.target) <= kTolerance + noise;
    state.hits = onTarget ? state.hits + 1 : 0;
    if (state.hits == kHits || state.rounds == kRounds) {
      state.active = false;
      return value;
    }
    if (onTarget) return value;
    // The acceptance of a trial move falls about exponentially with its size. Where it falls
    // faster, that step goes too far every time; half of it (in the logarithm) then closes in.
    const double measured = std::clamp(state.measured, 1e-3, 1 - 1e-3);
    const double step = std::log(state.target) / std::log(measured);
    const double factor = std::clamp(state.rounds < kFullSteps ? step : std::sqrt(step), 0.25, 4.0);
    const double next = std::clamp(roundedValue(value * factor), range_.smallest, range_.largest);
    if (next == value && (value == range_.smallest || value == range_.largest))
      state.active = false;
    return next;
  }
  // 0..1.
  double progress() const {
    return std::min(1.0, (static_cast<double>(state.hits) / static_cast<double>(kHits) +
                          static_cast<double>(state.rounds) / static_cast<double>(kRounds)) /
                             1.2);
  }
  // It has ended, and not on target.
  bool missed() const { return !state.active && state.rounds > 0 && state.hits < kHits; }
  const TunerRange& range() const { return range_; }

 private:
  static constexpr double kTrialsPerRound = 200000, kTolerance = 0.005;
  static constexpr std::int64_t kFullSteps = 8;  // rounds

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

  void begin(TunerRange range) {
    CELLSCOPE_ASSERT(range.smallest > 0 && range.largest > range.smallest);
    state = {};
    state.active = true;
    state.lo = range.smallest;
    state.hi = range.largest;
    samples_.clear();
  }
  // What to measure next while active, then the final value.
  double value() const {
    if (!state.active) return state.best;
    const double part = state.measured % 2 == 0 ? 1 - kGolden : kGolden;
    return state.lo * std::pow(state.hi / state.lo, part);
  }
  // The cost measured at value(), in any unit. Only while active.
  void add(double cost) {
    CELLSCOPE_ASSERT(state.active);
    state.cost[state.measured % 2][state.measured / 2] = cost;
    if (++state.measured == 2 * MinimumState::kRepeats) closeRound();
  }
  // 0..1.
  double progress() const {
    if (!state.active) return state.rounds > 0 ? 1 : 0;
    const double left = std::log(state.hi / state.lo), goal = std::log1p(tolerance_);
    const double begun =
        left - state.rounds * std::log(kGolden);  // each round leaves kGolden of it
    return begun > goal ? std::clamp((begun - left) / (begun - goal), 0.0, 1.0) : 0;
  }

  // Every value measured since begin() with its median cost, for a chart; not in checkpoints.
  struct Sample {
    double value, cost;
  };
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  static constexpr double kGolden = 0.6180339887498949;

  void closeRound() {
    double at[2], cost[2];
    for (int i = 0; i < 2; ++i) {
      at[i] = state.lo * std::pow(state.hi / state.lo, i == 0 ? 1 - kGolden : kGolden);
      cost[i] = medianOf({state.cost[i], state.cost[i] + MinimumState::kRepeats});
      samples_.push_back({at[i], cost[i]});
    }
    const int better = cost[1] < cost[0] ? 1 : 0;
    state.best = roundedValue(at[better]);
    state.bestCost = cost[better];
    (better == 0 ? state.hi : state.lo) = at[1 - better];
    state.measured = 0;
    ++state.rounds;
    if (state.hi / state.lo < 1 + tolerance_) state.active = false;
  }

  double tolerance_;
  std::vector<Sample> samples_;
};

}  // namespace cellscope
