// Grand-canonical Monte Carlo without exchange: displacements only, at constant number.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/api/frame.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

// Without exchange the box keeps its particles, and what is said of a reservoir is not.
TEST(GcmcConstantNumber, IsTheCanonicalEnsemble) {
  for (const char* method : {"checkerboard", "serial_cells", "in_order"}) {
    auto mode =
        gcmcMode(fmt::format("method={} length=12.5 density=0.82 temperature=0.9 displacements=1 "
                             "insertions=0 deletions=0",
                             method));
    std::vector<ParticleId> ids = mode->configuration().ids;
    std::sort(ids.begin(), ids.end());
    for (int k = 0; k < 5; ++k) mode->advance(2), mode->sample();
    std::vector<ParticleId> now = mode->configuration().ids;
    std::sort(now.begin(), now.end());
    EXPECT_EQ(now, ids) << method;
    for (const SelfCheck& c : mode->selfChecks()) {
      EXPECT_TRUE(c.ok) << method << ": " << c.label << ": " << c.detail;
      EXPECT_FALSE(isWarning(c)) << method << ": " << c.detail;
    }
    EXPECT_EQ(sampled(*mode, "particles"), static_cast<double>(ids.size()));
    EXPECT_TRUE(std::isnan(sampled(*mode, "acceptance_insertion"))) << method;
    // NIST at this state: U/N = -5.7456, P = 0.824; the equation of state is within its errors.
    std::vector<std::string> known;
    for (const ReferenceValue& r : mode->references()) {
      known.push_back(r.observable);
      EXPECT_NEAR(r.value, r.observable == "energy" ? -5.7456 : 0.824, 4 * r.error) << method;
    }
    EXPECT_EQ(known, (std::vector<std::string>{"energy", "pressure"}));
    for (const CurveSeries& k : curveOf(*mode, "isotherm").series) EXPECT_TRUE(k.reference);
    EXPECT_EQ(curveOf(*mode, "excess_potential").series.at(0).y.size(), 1u) << "nothing is imposed";
  }
}

// An empty cell into which nothing comes is passed over: the same chain, attempts counted.
TEST(GcmcConstantNumber, AttemptsInEmptyCellsOfABoardAreCounted) {
  auto mode = gcmcMode(
      "method=checkerboard length=30 density=0.001 temperature=2 displacements=1 insertions=0 "
      "deletions=0 moves_per_step=1");
  mode->advance(2);
  EXPECT_EQ(mode->work(), 2.0 * 1000 * 16) << "10 x 10 x 10 cells of 16 attempts";
  EXPECT_EQ(mode->particleCount(), 27u);
}

}  // namespace
}  // namespace cellscope::test
