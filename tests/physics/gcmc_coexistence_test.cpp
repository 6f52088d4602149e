// Coexistence of vapour and liquid against the published transition-matrix results (NIST, SAT-TMMC;
// cutoff 3 with tail; fixed seeds), by ln P(N) from windows of N and by pairs of boxes. Beside the
// bounds the errors must be small enough for the comparison to mean something.
#include "sim/algo/observables/gcmc_reference.h"
#include "sim/modes/gibbs/mode.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

// ln P(N) from windows of N: coexistence of vapour and liquid at T = 1.2 in a box of side 8, cutoff
// 3 with tail, against the published transition-matrix result of the same box (NIST, SAT-TMMC:
// ln z = -3.0309, densities 0.1003 and 0.56329, pressure 0.07721).
//
// Bounds: six of the errors that the run itself states, with the rounding of what is published and
// the published errors of ln Pi (0.04, correlated) carried over.
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

// Vapour and liquid of pairs of boxes against the published states at T = 0.9 and 1.0.
//
// Bounds: five of the errors that the run itself states, by blocks, which are too small by up to a
// third for series as short as these: 3.3 true errors, of which one of ten comparisons in some 110
// runs fails by chance. mu is -T times the logarithm of a mean b: of a relative error e in b it is
// off by T e^2 / 2 beyond what is linear in e, by 0.02 where e = 0.2. Boxes of 512 sigma^3 there
// and of 600 and 1900 here differ by less than that.
TEST(GibbsCoexistence, AgreesWithThePublishedOne) {
  GibbsMode mode({Backend::cpu, 2, 0});
  assign(mode,
         "first_particles=0.85 first_volume=0.28 pairs=4 temperatures=2 temperature=0.9 "
         "last_temperature=1 tune=true density=0.2");
  mode.restart();
  for (int k = 0; k < 390; ++k) {
    mode.advance(10);
    mode.sample();
  }
  test::expectHealthy(mode);
  const std::vector<gibbs::GibbsCoexistence> found = mode.coexistences();
  ASSERT_EQ(found.size(), 2u);
  for (const gibbs::GibbsCoexistence& c : found) {
    SCOPED_TRACE(c.temperature);
    EXPECT_EQ(c.pairs, 2u);
    bool published = false;
    for (const PublishedCoexistence& p : publishedCoexistences(3, true)) {
      if (std::abs(p.temperature - c.temperature) > 1e-6) continue;
      published = true;
      const auto compare = [](const gibbs::GibbsMean& ours, double there, double useful) {
        EXPECT_NEAR(ours.value, there, 5 * ours.error);
        EXPECT_LT(ours.error, useful * there);
        EXPECT_GT(ours.error, 0);
      };
      compare(c.density[0], p.liquid, 0.005);
      compare(c.density[1], p.vapour, 0.06);
      compare(c.pressure, p.pressure, 0.06);
      for (const gibbs::GibbsMean& mu : c.potential)
        EXPECT_NEAR(mu.value, p.temperature * p.lnActivity, 5 * mu.error + 0.02);
    }
    EXPECT_TRUE(published);
  }
}

}  // namespace
}  // namespace cellscope::test
