#include "sim/algo/race/tuner.h"

#include <algorithm>
#include <cmath>

#include "sim/algo/race/race.h"
#include "sim/core/assert.h"

namespace cellscope {

constexpr double kTrialsPerRound = 200000;
constexpr double kTolerance = 0.005;
constexpr std::int64_t kFullSteps = 8;  // rounds
constexpr double kGolden = 0.6180339887498949;

double roundedValue(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3);
  return std::round(value / unit) * unit;
}

void TargetTuner::begin(double target, double trialsPerStep) {
  state = {};
  state.active = true;
  state.target = target;
  state.roundSteps = static_cast<std::uint64_t>(
      std::clamp(std::ceil(kTrialsPerRound / std::max(trialsPerStep, 1.0)), 4.0, 5000.0));
  state.stepsLeft = state.roundSteps;
}

double TargetTuner::evaluate(double value, std::uint64_t accepted, std::uint64_t attempted) {
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
  // The acceptance of a trial move falls about exponentially with its size. Where it falls faster,
  // that step goes too far every time; half of it (in the logarithm) then closes in.
  const double measured = std::clamp(state.measured, 1e-3, 1 - 1e-3);
  const double step = std::log(state.target) / std::log(measured);
  const double factor = std::clamp(state.rounds < kFullSteps ? step : std::sqrt(step), 0.25, 4.0);
  const double next = std::clamp(roundedValue(value * factor), range_.smallest, range_.largest);
  if (next == value && (value == range_.smallest || value == range_.largest)) state.active = false;
  return next;
}

double TargetTuner::progress() const {
  return std::min(1.0, (static_cast<double>(state.hits) / static_cast<double>(kHits) +
                        static_cast<double>(state.rounds) / static_cast<double>(kRounds)) /
                           1.2);
}

void MinimumTuner::begin(TunerRange range) {
  CELLSCOPE_ASSERT(range.smallest > 0 && range.largest > range.smallest);
  state = {};
  state.active = true;
  state.lo = range.smallest;
  state.hi = range.largest;
  samples_.clear();
}

double MinimumTuner::value() const {
  if (!state.active) return state.best;
  const double part = state.measured % 2 == 0 ? 1 - kGolden : kGolden;
  return state.lo * std::pow(state.hi / state.lo, part);
}

void MinimumTuner::add(double cost) {
  CELLSCOPE_ASSERT(state.active);
  state.cost[state.measured % 2][state.measured / 2] = cost;
  if (++state.measured == 2 * MinimumState::kRepeats) closeRound();
}

void MinimumTuner::closeRound() {
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

double MinimumTuner::progress() const {
  if (!state.active) return state.rounds > 0 ? 1 : 0;
  const double left = std::log(state.hi / state.lo), goal = std::log1p(tolerance_);
  const double begun = left - state.rounds * std::log(kGolden);  // each round leaves kGolden of it
  return begun > goal ? std::clamp((begun - left) / (begun - goal), 0.0, 1.0) : 0;
}

}  // namespace cellscope
