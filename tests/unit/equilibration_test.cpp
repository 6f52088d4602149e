// Whether a run is said to be equilibration: never without a reason, always with a good one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/run/sample_history.h"

namespace cellscope {
namespace {

// Values about 9 with standard deviation 1 and the correlation 0.8 from one to the next, raised at
// first by `rise`, which decays over `decay` values. An earlier epoch holds nonsense.
std::vector<ObservableSeries> history(int samples, double rise, double decay, std::uint64_t seed,
                                      bool relaxes = true) {
  ObservableInfo info{"order", "Order", "", "", "", ""};
  info.relaxes = relaxes;
  SampleHistory h({info});
  for (int k = 0; k < 300; ++k) h.add(static_cast<std::uint64_t>(k), {1000.0});
  h.startEpoch(300);
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  double x = normal(generator);
  for (int k = 0; k < samples; ++k) {
    x = 0.8 * x + 0.6 * normal(generator);
    h.add(301 + static_cast<std::uint64_t>(k), {9 + x + rise * std::exp(-k / decay)});
  }
  return h.series();
}

// Student's t with 7 degrees of freedom, whose variance is 7/5; blocks of 62 values are not quite
// independent and make it 1.48, 2000 series tell it to 0.07. One deviate in 540 is beyond kDrifts:
// 3.7 of 2000. False alarm: 5e-5 (2e6 series resampled).
TEST(Equilibration, WithoutADriftTheDeviateIsStudentsT) {
  constexpr int kRuns = 2000;
  int large = 0;
  double squares = 0;
  for (int k = 0; k < kRuns; ++k) {
    const auto s = history(1000, 0, 1, static_cast<std::uint64_t>(k));
    const std::vector<double> values = s[0].value;
    const double z = driftInErrors(std::span(values).last(1000));
    large += std::abs(z) > kDrifts;
    squares += z * z;
  }
  EXPECT_LE(large, 13);
  EXPECT_NEAR(squares / kRuns, 1.48, 0.4);
}

TEST(Equilibration, TheWayIntoEquilibriumIsSeenAndSoIsItsEnd) {
  const Equilibration under = equilibrationOf(history(200, 20, 100, 1));
  EXPECT_EQ(under.drifting, std::vector<std::string>{"Order"});
  EXPECT_FALSE(under.over);
  const Equilibration over = equilibrationOf(history(2000, 20, 100, 1));
  EXPECT_EQ(over.drifting, std::vector<std::string>{"Order"});
  EXPECT_TRUE(over.over);
  EXPECT_TRUE(equilibrationOf(history(2000, 0, 1, 1)).drifting.empty());
  EXPECT_FALSE(equilibrationOf(history(2000, 0, 1, 1)).over);
}

// First fifth 3; the last half eight blocks of +1 and -1: error (8 / 56)^(1/2), times
// (1 + 80 / 32)^(1/2) that of the difference.
TEST(Equilibration, TheDriftOfGivenValues) {
  std::vector<double> values(160, 0.0);
  std::fill_n(values.begin(), 32, 3.0);
  for (std::size_t k = 80; k < 160; ++k) values[k] = k / 10 % 2 ? 1 : -1;
  EXPECT_NEAR(driftInErrors(values), 3 * std::sqrt(2.0), 1e-12);
}

TEST(Equilibration, FewValuesDoNotShowThatTheyAreAtRest) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Equilibration short_ = equilibrationOf(history(100, 60, 5, seed));
    EXPECT_EQ(short_.drifting.size(), 1u);
    EXPECT_FALSE(short_.over);
  }
}

TEST(Equilibration, OnlyWhatRelaxesIsAskedAndOnlyWithEnoughValues) {
  EXPECT_TRUE(equilibrationOf(history(200, 20, 100, 1, false)).drifting.empty());
  EXPECT_TRUE(equilibrationOf(history(31, 20, 10, 1)).drifting.empty());
  EXPECT_EQ(driftInErrors(std::vector<double>(100, 3.0)), 0);
}

}  // namespace
}  // namespace cellscope
