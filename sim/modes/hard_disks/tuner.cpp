#include "sim/modes/hard_disks/tuner.h"

#include <algorithm>
#include <cmath>

#include "sim/modes/hard_disks/parameters.h"

namespace cellscope {
namespace {

constexpr double kSmallest = HardDiskParameters::kSmallestMove;
constexpr double kLargest = HardDiskParameters::kLargestMove;
constexpr double kMovesPerRound = 200000;
constexpr std::int64_t kHits = 2;
constexpr double kTolerance = 0.005;

// Four significant digits: a move size that can be typed again.
double rounded(double d) {
  const double unit = std::pow(10.0, std::floor(std::log10(d)) - 3);
  return std::round(d / unit) * unit;
}

}  // namespace

void Tuner::begin(double target, double movesPerSweep) {
  state = {};
  state.active = true;
  state.target = target;
  state.roundSweeps = static_cast<std::uint64_t>(
      std::clamp(std::ceil(kMovesPerRound / std::max(movesPerSweep, 1.0)), 4.0, 5000.0));
  state.sweepsLeft = state.roundSweeps;
}

double Tuner::evaluate(double d, std::uint64_t accepted, std::uint64_t attempted) {
  state.sweepsLeft = state.roundSweeps;
  ++state.rounds;
  if (attempted == 0) {
    state.active = false;
    return d;
  }
  const double n = static_cast<double>(attempted);
  state.acceptance = static_cast<double>(accepted) / n;
  const double noise = 3 * std::sqrt(state.target * (1 - state.target) / n);
  const bool onTarget = std::fabs(state.acceptance - state.target) <= kTolerance + noise;
  state.hits = onTarget ? state.hits + 1 : 0;
  if (state.hits == kHits || state.rounds == kRounds) {
    state.active = false;
    return d;
  }
  if (onTarget) return d;
  // Acceptance falls about exponentially with d.
  const double measured = std::clamp(state.acceptance, 1e-3, 1 - 1e-3);
  const double factor = std::clamp(std::log(state.target) / std::log(measured), 0.25, 4.0);
  const double next = std::clamp(rounded(d * factor), kSmallest, kLargest);
  if (next == d && (d == kSmallest || d == kLargest)) state.active = false;
  return next;
}

double Tuner::progress() const {
  return std::min(1.0, (static_cast<double>(state.hits) / static_cast<double>(kHits) +
                        static_cast<double>(state.rounds) / static_cast<double>(kRounds)) /
                           1.2);
}

}  // namespace cellscope
