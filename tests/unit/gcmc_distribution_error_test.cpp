// ln P(N) from its transitions. Its statistical error: blocks of time, the jackknife, and whether
// its error bars cover exact values as often as they should. Two phases are found only where the
// dip of ln P(N) is deeper than three standard errors.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "sim/modes/gcmc/observables.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::test {
namespace {

using namespace gcmc;

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

TEST(GcmcNumberDistribution, ComesBackFromItsTransitions) {
  std::vector<double> lnP;
  for (int n = 0; n < 60; ++n) lnP.push_back(n * std::log(20.0) - std::lgamma(n + 1.0));
  const NumberDistribution d = distributionOf(sumsOf(lnP), 1);
  ASSERT_EQ(d.lnP.size(), 60u);
  for (std::size_t n = 0; n < 60; ++n) EXPECT_NEAR(d.lnP[n], lnP[n], 1e-10);
  // Poisson again, of mean 10.
  EXPECT_NEAR(d.at(std::log(0.5)).mean(), 10, 1e-6);
  EXPECT_FALSE(coexistenceOf(d));
}

// Two Gaussians of known weights: equal at the shift that makes up for them.
TEST(GcmcNumberDistribution, CoexistenceIsWhereTheAreasAreEqual) {
  std::vector<double> lnP;
  const double tilt = 0.02;
  for (int n = 0; n <= 100; ++n) {
    const double a = std::exp(-0.5 * std::pow((n - 20) / 4.0, 2)) / 4;
    const double b = std::exp(-0.5 * std::pow((n - 75) / 5.0, 2)) / 5;
    lnP.push_back(std::log(a + b) + tilt * n);
  }
  const auto c = coexistenceOf(distributionOf(sumsOf(lnP), 1));
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->shift, -tilt, 1e-6);
  EXPECT_NEAR(c->vapour, 20, 1e-3);
  EXPECT_NEAR(c->liquid, 75, 1e-3);
  EXPECT_GT(c->depth, 10);
}

// A gap ends what is known, and few attempts are no knowledge.
TEST(GcmcNumberDistribution, StopsAtAGap) {
  std::vector<GcmcTransition> t = sumsOf(std::vector<double>(50, 0.0));
  t[30].insertions = 3;
  EXPECT_EQ(distributionOf(t, 1).lnP.size(), 31u);
}

TransitionSums sumsOf(std::size_t numbers, double value) {
  return TransitionSums(numbers, GcmcTransition{value, 2 * value, value, 2 * value});
}

TEST(GcmcTransitionBlocks, GrowWithTheRunAndLoseNothing) {
  TransitionBlocks blocks;
  blocks.reset(4);
  std::size_t asked = 0;
  for (std::uint64_t step = 1; step <= 1000; ++step) {
    if (!blocks.due(step)) continue;
    blocks.add(sumsOf(4, static_cast<double>(step)));
    ++asked;
  }
  EXPECT_LT(blocks.blocks().size(), 32u);
  EXPECT_GE(blocks.blocks().size(), 15u);
  EXPECT_LT(asked, 120u) << "the sums are not read after every step";
  double all = 0;
  for (const TransitionSums& b : blocks.blocks()) {
    EXPECT_DOUBLE_EQ(b[2].up, static_cast<double>(blocks.length())) << "as long as each other";
    all += b[2].up;
  }
  EXPECT_DOUBLE_EQ(all, static_cast<double>(blocks.length() * blocks.blocks().size()));
  std::stringstream file;
  BinaryWriter writer(file);
  blocks.save(writer);
  TransitionBlocks again;
  BinaryReader reader(file);
  again.load(reader, 4);
  EXPECT_EQ(again.length(), blocks.length());
  EXPECT_EQ(again.blocks().size(), blocks.blocks().size());
  std::stringstream more(file.str());
  BinaryReader other(more);
  EXPECT_THROW(again.load(other, 5), InputError);
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

// One ratio of which each block has its own value: the error of ln P(1) - ln P(0) is that of a
// mean, to the order of the jackknife.
TEST(GcmcDistributionJackknife, IsTheErrorOfAMeanWhereItCanBeSaid) {
  std::vector<TransitionSums> blocks;
  const std::vector<double> up = {500, 510, 495, 505, 490, 502, 499, 508, 493, 498};
  double mean = 0, squares = 0;
  for (const double u : up) mean += u / 10;
  for (const double u : up) squares += (u - mean) * (u - mean);
  for (const double u : up)
    blocks.push_back({{u, 1000, 0, 0}, {500, 1000, 500, 1000}, {0, 0, 500, 1000}});
  const Measured m = measured(blocks);
  ASSERT_EQ(m.whole.lnP.size(), 3u);
  const std::vector<double> error = m.jackknife.errorsAt(0);
  // ln P(0) = -ln(1 + 2 r), r = P(1) / P(0) about 1: its error is 2/3 of that of ln r.
  const double ofLnRatio = std::sqrt(squares / 90) / mean;
  EXPECT_NEAR(error[0], ofLnRatio * 2 / 3, 0.02 * ofLnRatio);
  EXPECT_NEAR(error[1], ofLnRatio / 3, 0.02 * ofLnRatio);
  EXPECT_DOUBLE_EQ(error[1], error[2]);
}

TEST(GcmcDistributionJackknife, SaysNothingBeyondARatioThatOneBlockAloneKnows) {
  std::vector<TransitionSums> blocks;
  for (int b = 0; b < 10; ++b) {
    const double alone = b == 3 ? 30 : 0;
    blocks.push_back({{900.0 + b, 1000, 0, 0},
                      {500, 1000, 500, 1000},
                      {alone, alone, 500, 1000},
                      {0, 0, 0.5 * alone, alone}});
  }
  const Measured m = measured(blocks);
  const std::vector<double> error = m.jackknife.errorsAt(-0.9);
  ASSERT_EQ(error.size(), 4u);
  EXPECT_TRUE(std::isfinite(error[0]));
  EXPECT_TRUE(std::isfinite(error[2]));
  EXPECT_TRUE(std::isnan(error[3]));
  blocks.resize(kFewestBlocks - 1);
  EXPECT_TRUE(DistributionJackknife(m.whole, blocks, 1).errorsAt(0).empty());
}

// Three particles at most in a cube of side 5 at T = 0.7, cutoff 2.5, z V = 1. Exact: P(2) P(0) /
// P(1)^2 = 0.57277430, P(3) P(0)^2 / P(1)^3 = 0.250484 (quadrature).
GcmcParameters fewParticles(std::int64_t replicas, std::int64_t windows, std::int64_t seed) {
  GcmcParameters p;
  p.length = 5, p.cutoff = 2.5, p.tail = false;
  p.temperature = 0.7;
  p.activity = 1 / 125.0;
  p.mu = potentialOfActivity(p.activity, p.temperature);
  p.maxDisplacement = 1;
  p.replicas = replicas;
  p.replicaKind.index = static_cast<std::int64_t>(ReplicaKind::window);
  p.replicaMost = 3;
  p.replicaWindows = windows;
  p.seed = seed;
  return p;
}

struct Coverage {
  int runs = 0, within1 = 0, within2 = 0;
  double bias = 0;
  void add(double off) {
    ++runs;
    within1 += std::abs(off) < 1 ? 1 : 0;
    within2 += std::abs(off) < 2 ? 1 : 0;
    bias += off;
  }
};

// Independent runs; of each how many errors ln P(3) lies from the exact one. Expected shares are
// those of Student's t with nu = 15 to 30 degrees of freedom: 0.667 to 0.675 within one error and
// 0.936 to 0.946 within two. Bounds: 4.5 standard deviations of the binomial distribution of 400
// runs beyond these, and of the mean of 400 values: a false alarm in 10^5 tests.
void expectCoverage(std::int64_t replicas, std::int64_t windows, int steps, std::uint64_t moves) {
  const double exact = std::log(0.250484) - std::log(2 + 0.57277430 + 0.250484);
  const exec::Shared exec = exec::makeExec({.backend = Backend::cpu, .threads = 1});
  Coverage c;
  for (int run = 0; run < 400; ++run) {
    const GcmcParameters p = fewParticles(replicas, windows, 1000 * windows + run + 1);
    ReplicaRun chains(exec);
    chains.start(p);
    for (int step = 0; step < 300 + steps; ++step) chains.advance(p, step < 300 ? 2 : moves);
    const ReplicaKnowledge& k = chains.known(p);
    const NumberDistribution d = k.whole.at(0);  // of the activity that it began with
    ASSERT_EQ(d.lnP.size(), 4u);
    EXPECT_EQ(k.byChains, replicas >= 8 * windows);
    const double error = k.jackknife.errorsAt(0)[3];
    ASSERT_GT(error, 0);
    c.add((d.lnP[3] - exact) / error);
  }
  const double n = c.runs, sd1 = std::sqrt(0.67 * 0.33 / n), sd2 = std::sqrt(0.94 * 0.06 / n);
  EXPECT_NEAR(c.within1 / n, 0.67, 4.5 * sd1 + 0.01);
  EXPECT_NEAR(c.within2 / n, 0.94, 4.5 * sd2 + 0.01);
  EXPECT_NEAR(c.bias / n, 0, 4.5 * 1.04 / std::sqrt(n) + 0.05);
}

TEST(GcmcDistributionCoverage, BlocksOfTime) { expectCoverage(1, 1, 64, 160); }
TEST(GcmcDistributionCoverage, BlocksOfTimeOverThreeWindows) { expectCoverage(3, 3, 64, 100); }
TEST(GcmcDistributionCoverage, GroupsOfChains) { expectCoverage(16, 1, 4, 150); }

// Acceptance probabilities of an ideal gas depend on N alone: no error, at any shift.
TEST(GcmcDistributionError, OfAnIdealGasIsRounding) {
  GcmcParameters p = fewParticles(4, 4, 1);
  p.potential = gcmcPotential("ideal_gas");
  p.replicaMost = 24;
  ReplicaRun chains(exec::makeExec({.backend = Backend::cpu, .threads = 1}));
  chains.start(p);
  for (int step = 0; step < 400; ++step) chains.advance(p, 100);
  const std::vector<double> error = chains.known(p).jackknife.errorsAt(0.7);
  ASSERT_EQ(error.size(), 25u);
  for (const double e : error) EXPECT_LT(e, 1e-9);
}

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

// Blocks whose dips are deeper and less deep by the same amount in turns, known below this N.
std::vector<TransitionSums> blocksWithDip(double depth, double tilt, int blocks, double off,
                                          std::size_t known = kMost + 1) {
  std::vector<TransitionSums> all;
  for (int b = 0; b < blocks; ++b) {
    std::vector<double> own = twoPhases(depth, tilt);
    own.resize(known);
    for (std::size_t n = 0; n < known; ++n)
      own[n] += (b % 2 == 0 ? off : -off) * dip(static_cast<int>(n));
    all.push_back(sumsOf(own));
  }
  return all;
}

// Such that the standard error of the mean is depth / ratio.
Measured withDip(double depth, double ratio, int blocks, double tilt) {
  const double d = coexistenceOf(NumberDistribution{0, twoPhases(depth, tilt)})->depth;
  const Measured m =
      measured(blocksWithDip(depth, tilt, blocks, d / ratio * std::sqrt(blocks - 1.0)));
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
  const Measured part = measured(blocksWithDip(6, 0, 20, 0.3, 330));  // a maximum is at 300
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

}  // namespace
}  // namespace cellscope::test
