// Vapour and liquid of pairs of boxes against the published states (NIST, SAT-TMMC; cutoff 3 with
// tail) at T = 0.9 and 1.0.
//
// Bounds: five of the errors that the run itself states, by blocks, which are too small by up to a
// third for series as short as these: 3.3 true errors, of which one of ten comparisons in some 110
// runs fails by chance; fixed seed. mu is -T times the logarithm of a mean b: of a relative error e
// in b it is off by T e^2 / 2 beyond what is linear in e, by 0.02 where e = 0.2. Beside it the
// errors must be small enough for the comparison to mean something. Boxes of 512 sigma^3 there and
// of 600 and 1900 here differ by less than that.
#include <gtest/gtest.h>

#include "sim/algo/observables/gcmc_reference.h"
#include "sim/modes/gibbs/mode.h"

namespace cellscope {
namespace {

TEST(GibbsCoexistence, AgreesWithThePublishedOne) {
  GibbsMode mode({Backend::cpu, 2, 0});
  const std::vector<std::pair<const char*, ParameterValue>> values = {
      {"first_particles", 0.85},
      {"first_volume", 0.28},
      {"pairs", std::int64_t{4}},
      {"temperatures", std::int64_t{2}},
      {"temperature", 0.9},
      {"last_temperature", 1.0},
      {"tune", true},
      {"density", 0.2}};
  for (const auto& [key, value] : values) mode.parameters().at(key).set(value);
  mode.restart();
  for (int k = 0; k < 390; ++k) {
    mode.advance(10);
    mode.sample();
  }
  for (const SelfCheck& c : mode.selfChecks()) EXPECT_TRUE(c.ok) << c.label << ": " << c.detail;
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
}  // namespace cellscope
