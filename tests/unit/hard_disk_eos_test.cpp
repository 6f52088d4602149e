// Closed-form equations of state and Pade approximants.
#include "sim/core/hard_disk_eos.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cellscope {
namespace {

TEST(HardDiskEos, ClosedFormsAtKnownPackings) {
  EXPECT_NEAR(hendersonZ(0.1), 1.236111, 5e-7);
  EXPECT_NEAR(hendersonZ(0.5), 4.125, 1e-12);
  EXPECT_NEAR(scaledParticleZ(0.4), 2.777778, 5e-7);
  EXPECT_NEAR(scaledParticleZ(0.65), 8.163265, 5e-7);
}

TEST(Pade, ReproducesARationalFunction) {
  // (1 + 2x) / (1 - x + x^2) as a series, then back.
  std::vector<double> series{1.0, 3.0};
  for (int i = 2; i < 8; ++i)
    series.push_back(series[static_cast<std::size_t>(i - 1)] -
                     series[static_cast<std::size_t>(i - 2)]);
  const Pade pade = padeApproximant(series, 1, 2);
  for (double x : {0.1, 0.5, 0.9}) EXPECT_NEAR(pade(x), (1 + 2 * x) / (1 - x + x * x), 1e-13);
}

TEST(Pade, MatchesTheTaylorSeriesOfTheExponential) {
  std::vector<double> series{1.0};
  for (int i = 1; i < 8; ++i) series.push_back(series.back() / i);
  const Pade pade = padeApproximant(series, 3, 3);
  EXPECT_NEAR(pade(1.0), std::exp(1.0), 3e-5);
  // Leading error x^7 (3! 3!) / (6! 7!) times e^x.
  EXPECT_NEAR(pade(0.1) - std::exp(0.1), 1e-7 * 36.0 / (720.0 * 5040.0) * std::exp(0.1), 2e-15);
}

TEST(VirialSeries, SecondCoefficientIsTwoEta) {
  const std::vector<double> series = virialSeries(std::vector<double>{1.0, 0.782004437912});
  ASSERT_EQ(series.size(), 3u);
  EXPECT_DOUBLE_EQ(series[1], 2.0);
  EXPECT_NEAR(series[2], 3.1280178, 1e-6);
  EXPECT_DOUBLE_EQ(polynomial(std::vector<double>{1, 2, 3}, 2.0), 17.0);
}

}  // namespace
}  // namespace cellscope
