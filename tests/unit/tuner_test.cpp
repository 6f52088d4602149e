#include "sim/algo/race/tuner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cellscope {
namespace {

constexpr TunerRange kMoves{0.001, 0.5};

// Acceptance as given, of 200000 moves a round; 0.4 is the target.
TEST(Tuner, RoundsOnTargetMustFollowEachOther) {
  TargetTuner tuner(kMoves);
  tuner.begin(0.4, 1000);
  EXPECT_EQ(tuner.state.roundSteps, 200u);
  EXPECT_EQ(tuner.evaluate(0.2, 80000, 200000), 0.2);
  EXPECT_GT(tuner.evaluate(0.2, 100000, 200000), 0.2);
  EXPECT_EQ(tuner.evaluate(0.2, 80000, 200000), 0.2);
  EXPECT_TRUE(tuner.state.active);
  EXPECT_EQ(tuner.evaluate(0.2, 80000, 200000), 0.2);
  EXPECT_FALSE(tuner.state.active);
}

TEST(Tuner, EndsWithoutReachingTheTarget) {
  TargetTuner tuner(kMoves);
  tuner.begin(0.4, 1000);
  std::int64_t rounds = 0;
  for (; tuner.state.active && rounds < 100; ++rounds)
    tuner.evaluate(0.2, rounds % 2 ? 60000 : 100000, 200000);
  EXPECT_EQ(rounds, TargetTuner::kRounds);
  tuner.begin(0.4, 1000);
  EXPECT_EQ(tuner.evaluate(kMoves.largest, 199999, 200000), kMoves.largest);
  EXPECT_FALSE(tuner.state.active);
}

// Acceptances that fall in other ways than the exponential that the search assumes.
TEST(Tuner, ConvergesOnTheTarget) {
  double (*const forms[])(double) = {[](double d) { return std::exp(-6 * d); },
                                     [](double d) { return std::exp(-30 * d * d); },
                                     [](double d) { return 1 / (1 + 20 * d); }};
  for (const double start : {0.001, 0.05, 0.5})
    for (const double target : {0.2, 0.4, 0.7})
      for (const auto& acceptance : forms) {
        TargetTuner tuner(kMoves);
        tuner.begin(target, 100000);
        double d = start;
        while (tuner.state.active) {
          EXPECT_FALSE(tuner.roundOver());
          tuner.stepsDone(tuner.state.stepsLeft);
          EXPECT_TRUE(tuner.roundOver());
          d = tuner.evaluate(d, static_cast<std::uint64_t>(acceptance(d) * 200000), 200000);
        }
        EXPECT_LT(tuner.state.rounds, 30);
        EXPECT_NEAR(acceptance(d), target, 0.01) << start << " " << &acceptance - forms;
        EXPECT_FALSE(tuner.roundOver());
      }
}

double tuned(MinimumTuner& tuner, TunerRange range, const auto& cost) {
  tuner.begin(range);
  int measured = 0;
  while (tuner.state.active) {
    EXPECT_GE(tuner.value(), range.smallest);
    EXPECT_LE(tuner.value(), range.largest);
    tuner.add(cost(tuner.value()));
    EXPECT_LT(++measured, 200);
  }
  EXPECT_EQ(tuner.progress(), 1);
  EXPECT_EQ(tuner.value(), tuner.state.best) << "frozen";
  return tuner.value();
}

// The cost of a neighbour list: rebuilding gets rarer with the buffer, and pairs more.
TEST(Tuner, FindsTheSmallestCost) {
  MinimumTuner tuner(0.05);
  const auto cost = [](double b) { return 1 / b + 10 * std::pow(1 + b, 3); };
  const double best = tuned(tuner, {0.01, 2}, cost);
  // 1 / b^2 = 30 (1 + b)^2: b (1 + b) = 1 / sqrt(30)
  EXPECT_NEAR(best, 0.157, 0.157 * 0.05);
  EXPECT_NEAR(tuner.state.bestCost, cost(best), 1e-2);
  EXPECT_EQ(tuner.samples().size(), 2 * static_cast<std::size_t>(tuner.state.rounds));
}

TEST(Tuner, FindsAMinimumAtEitherEndOfTheRange) {
  MinimumTuner tuner(0.05);
  EXPECT_NEAR(tuned(tuner, {0.1, 10}, [](double v) { return v; }), 0.1, 0.005);
  EXPECT_NEAR(tuned(tuner, {0.1, 10}, [](double v) { return -v; }), 10, 0.5);
}

// Noise of 3 %, one measurement in seven interrupted, and a machine that slows down meanwhile.
TEST(Tuner, NoiseOutliersAndDriftMoveTheMinimumLittle) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(1, 0.03);
  MinimumTuner tuner(0.1);
  int calls = 0;
  const double best = tuned(tuner, {0.01, 2}, [&](double b) {
    const double drift = 1 + 0.002 * calls, outlier = ++calls % 7 == 0 ? 5 : 1;
    const double x = std::log(b / 0.2);
    return (1 + x * x) * noise(random) * drift * outlier;
  });
  EXPECT_GT(best, 0.2 / 1.5);
  EXPECT_LT(best, 0.2 * 1.5);
}

// The state is all that a checkpoint needs.
TEST(Tuner, GoesOnFromItsState) {
  const auto cost = [](double b) { return 1 / b + b; };
  MinimumTuner whole(0.05), cut(0.05);
  whole.begin({0.1, 20});
  cut.begin({0.1, 20});
  while (whole.state.active) {
    whole.add(cost(whole.value()));
    MinimumTuner resumed(0.05);
    resumed.state = cut.state;
    resumed.add(cost(resumed.value()));
    cut.state = resumed.state;
    EXPECT_EQ(whole.value(), cut.value());
  }
  EXPECT_FALSE(cut.state.active);
}

TEST(Tuner, ProgressNeverFalls) {
  MinimumTuner tuner;
  EXPECT_EQ(tuner.progress(), 0);
  tuner.begin({0.1, 10});
  double before = 0;
  while (tuner.state.active) {
    EXPECT_GE(tuner.progress(), before - 1e-12);
    before = tuner.progress();
    EXPECT_LT(before, 1);
    tuner.add(1);
  }
  EXPECT_EQ(tuner.progress(), 1);
}

TEST(Tuner, ValuesCanBeTypedAgain) {
  EXPECT_DOUBLE_EQ(roundedValue(0.123456), 0.1235);
  EXPECT_DOUBLE_EQ(roundedValue(98765), 98770);
}

}  // namespace
}  // namespace cellscope
