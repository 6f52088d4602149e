// ln P(N) from windows of N: coexistence of vapour and liquid at T = 1.2 in a box of side 8, cutoff
// 3 with tail, against the published transition-matrix result of the same box (NIST, SAT-TMMC:
// ln z = -3.0309, densities 0.1003 and 0.56329, pressure 0.07721).
//
// Bounds: six of the errors that the run itself states, with the rounding of what is published and
// the published errors of ln Pi (0.04, correlated) carried over; fixed seed. Beside it the errors
// must be small enough for the comparison to mean something.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

TEST(GcmcCoexistence, AgreesWithThePublishedOne) {
  const std::string values =
      "length=8 density=0.3 temperature=1.2 chemical_potential=-3.637 moves_per_step=1000 "
      "replicas=48 replicas_differ_by=window replica_most=380";
  const auto mode = gcmcMode(values, 2);
  mode->advance(300 + 384);  // the first 300 steps tune the windows
  const Curve phases = curveOf(*mode, "replica_coexistence");
  ASSERT_EQ(phases.series.size(), 2u);
  const CurveSeries &found = phases.series[0], &published = phases.series[1];
  const double useful[3] = {0.004, 0.012, 0.001}, rounding[3] = {0.001, 0.003, 0.0003};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.y[k], published.y[k], 6 * found.error[k] + rounding[k]) << k;
    EXPECT_LT(found.error[k], useful[k]) << k;
    EXPECT_GT(found.error[k], 0) << k;
  }
  // ln P(N) as a whole: both are normalised at the same activity.
  const Curve numbers = curveOf(*mode, "replica_ln_number");
  ASSERT_EQ(numbers.series.size(), 3u);
  const CurveSeries &own = numbers.series.front(), &nist = numbers.series.back();
  ASSERT_EQ(own.y.size(), 381u);  // no window stays at one of its ends
  ASSERT_EQ(own.x.front(), 0);
  ASSERT_EQ(nist.y.size(), own.y.size());
  double furthest = 0;
  for (std::size_t n = 0; n < own.y.size(); ++n) {
    if (!std::isfinite(own.error[n])) continue;
    const double error = std::hypot(own.error[n], nist.error[n]);
    furthest = std::max(furthest, std::abs(own.y[n] - nist.y[n]) / error);
    if (n <= 330) {  // a single chain inserts seldom in the densest windows
      EXPECT_LT(own.error[n], 0.5) << n;
    }
  }
  EXPECT_LT(furthest, 5);
}

}  // namespace
}  // namespace cellscope::test
