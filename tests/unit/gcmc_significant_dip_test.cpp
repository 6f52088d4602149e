// Two phases are found only where the dip of ln P(N) is deeper than three standard errors.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sim/modes/gcmc/number_distribution.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::test {
namespace {

using namespace gcmc;

constexpr int kMost = 400;  // N

// Two equal maxima at a quarter and three quarters of the range, `depth` above the dip between.
std::vector<double> twoPhases(double depth, double tilt) {
  std::vector<double> lnP;
  for (int n = 0; n <= kMost; ++n) {
    const double x = (n - 200) / 100.0;
    lnP.push_back(-depth * (x * x - 1) * (x * x - 1) + tilt * n);
  }
  return lnP;
}

// 1 at the dip, 0 at both maxima.
double dip(int n) {
  const double x = (n - 200) / 80.0;
  return std::abs(x) < 1 ? std::pow(std::cos(0.5 * M_PI * x), 2) : 0;
}

// Sums of a block whose ratios are those of lnP. Equal changes of both signs leave the ratios of
// the sum of blocks as they are.
TransitionSums sumsOf(const std::vector<double>& lnP) {
  TransitionSums all(lnP.size() + 1, GcmcTransition{0, 1000, 0, 1000});
  for (std::size_t n = 0; n + 1 < lnP.size(); ++n) {
    const double half = 0.5 * (lnP[n + 1] - lnP[n]);
    all[n].up = 300 * std::exp(half), all[n + 1].down = 300 * std::exp(-half);
  }
  return all;
}

struct Measured {
  NumberDistribution whole;
  DistributionJackknife jackknife;
};
Measured measured(const std::vector<TransitionSums>& blocks) {
  TransitionSums all = blocks.front();
  for (std::size_t b = 1; b < blocks.size(); ++b) addTo(all, blocks[b]);
  Measured m{distributionOf(all, 1), {}};
  m.jackknife = DistributionJackknife(m.whole, blocks, 1);
  return m;
}

// Blocks whose dips are deeper and less deep by the same amount in turns, such that the standard
// error of the mean is depth / ratio.
Measured withDip(double depth, double ratio, int blocks, double tilt) {
  const std::vector<double> lnP = twoPhases(depth, tilt);
  const double d = coexistenceOf(NumberDistribution{0, lnP})->depth;
  std::vector<TransitionSums> all;
  for (int b = 0; b < blocks; ++b) {
    const double off = (b % 2 == 0 ? 1 : -1) * d / ratio * std::sqrt(blocks - 1.0);
    std::vector<double> own = lnP;
    for (int n = 0; n <= kMost; ++n) own[static_cast<std::size_t>(n)] += off * dip(n);
    all.push_back(sumsOf(own));
  }
  const Measured m = measured(all);
  EXPECT_NEAR(m.jackknife.coexistence().depth, d / ratio, 0.01 * d / ratio);
  return m;
}

TEST(GcmcSignificantDip, IsDeeperThanThreeStandardErrors) {
  for (const double depth : {0.8, 2.0, 6.0})
    for (const int blocks : {8, 20, 32})
      for (const double tilt : {0.0, 0.03}) {
        SCOPED_TRACE(testing::Message() << depth << " " << blocks << " " << tilt);
        const Measured below = withDip(depth, 2.9, blocks, tilt),
                       above = withDip(depth, 3.1, blocks, tilt);
        EXPECT_TRUE(coexistenceOf(below.whole)) << "there is a dip";
        EXPECT_FALSE(foundCoexistence(below.whole, below.jackknife));
        const auto found = foundCoexistence(above.whole, above.jackknife);
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->at.shift, -tilt, 1e-3);
        EXPECT_NEAR(found->at.vapour + found->at.liquid, kMost, 4);
        EXPECT_NEAR(found->at.depth / found->error.depth, 3.1, 0.05);
      }
}

// A peak that is known in part says neither where its phase is nor what it weighs.
TEST(GcmcSignificantDip, IsNoneWhereThePeaksAreNotKnownToTheirFeet) {
  const Measured whole = withDip(6, 20, 20, 0);
  ASSERT_TRUE(foundCoexistence(whole.whole, whole.jackknife));
  std::vector<TransitionSums> cut;
  for (int b = 0; b < 20; ++b) {
    const double off = b % 2 == 0 ? 0.3 : -0.3;
    std::vector<double> own = twoPhases(6, 0);
    for (int n = 0; n <= kMost; ++n) own[static_cast<std::size_t>(n)] += off * dip(n);
    own.resize(330);  // the second maximum is at 300
    cut.push_back(sumsOf(own));
  }
  const Measured part = measured(cut);
  ASSERT_GT(coexistenceOf(part.whole)->depth, kSignificant * part.jackknife.coexistence().depth);
  EXPECT_FALSE(foundCoexistence(part.whole, part.jackknife));
}

// However deep: without an error nothing is found.
TEST(GcmcSignificantDip, IsNoneWithoutAnError) {
  const std::vector<TransitionSums> few(kFewestBlocks - 1, sumsOf(twoPhases(8, 0)));
  const Measured m = measured(few);
  EXPECT_TRUE(coexistenceOf(m.whole));
  EXPECT_FALSE(foundCoexistence(m.whole, m.jackknife));
}

// Above the critical temperature ln P(N) has one maximum, near it a flat one. Noise of each ratio
// and block makes dips all the same. The deepest of many is compared with three standard errors, so
// that more than 0.1 % of runs find phases: with 20 to 32 blocks and as much noise as here 3 to 8
// %, with 8 blocks 10 to 20 %. Expected here: 11 of 300; the bound is six standard deviations above
// it.
TEST(GcmcSignificantDip, NoiseAboveTheCriticalTemperatureIsHardlyOne) {
  int dips = 0, found = 0;
  for (unsigned run = 0; run < 300; ++run) {
    std::mt19937_64 random(run);
    std::normal_distribution<double> noise(0, 0.9);
    std::vector<TransitionSums> blocks;
    for (int b = 0; b < 20; ++b) {
      std::vector<double> lnP;
      double walk = 0;
      for (int n = 0; n <= 100; ++n) {
        const double x = (n - 50) / 35.0;
        lnP.push_back(-2 * x * x * x * x + walk);
        walk += noise(random);
      }
      blocks.push_back(sumsOf(lnP));
    }
    const Measured m = measured(blocks);
    dips += coexistenceOf(m.whole) ? 1 : 0;
    found += foundCoexistence(m.whole, m.jackknife) ? 1 : 0;
  }
  EXPECT_GT(dips, 150) << "otherwise nothing was asked";
  EXPECT_LE(found, 30);
}

// Short runs of real chains a little above the critical temperature of 1.32: with these seeds five
// of twenty have a dip of ln P(N).
TEST(GcmcSignificantDip, ShortRunsAboveTheCriticalTemperatureFindNone) {
  const exec::Shared exec = exec::makeExec({.backend = Backend::cpu, .threads = 1});
  GcmcParameters p;
  p.length = 6, p.cutoff = 3, p.temperature = 1.35;
  p.mu = -3.5, p.activity = activityOfPotential(p.mu, p.temperature);
  p.replicas = 10, p.replicaMost = 120;
  p.replicaKind.index = static_cast<std::int64_t>(ReplicaKind::window);
  int dips = 0, found = 0;
  for (p.seed = 1; p.seed <= 20; ++p.seed) {
    ReplicaRun chains(exec);
    chains.start(p);
    for (int step = 0; step < 396; ++step) chains.advance(p, step < 300 ? 20 : 100);
    const ReplicaKnowledge& k = chains.known(p);
    dips += coexistenceOf(k.whole) ? 1 : 0;
    found += k.coexistence ? 1 : 0;
  }
  EXPECT_GE(dips, 3) << "otherwise nothing was asked";
  EXPECT_EQ(found, 0);
}

}  // namespace
}  // namespace cellscope::test
