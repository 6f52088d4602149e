// The statistical error of ln P(N): blocks of time, the jackknife, and whether its error bars cover
// exact values as often as they should.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/base/error.h"
#include "sim/modes/gcmc/number_distribution.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::test {
namespace {

using namespace gcmc;

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

// One ratio of which each block has its own value: the error of ln P(1) - ln P(0) is that of a
// mean, to the order of the jackknife.
TEST(GcmcDistributionJackknife, IsTheErrorOfAMeanWhereItCanBeSaid) {
  std::vector<TransitionSums> blocks;
  TransitionSums all(3, GcmcTransition{0, 0, 0, 0});
  const std::vector<double> up = {500, 510, 495, 505, 490, 502, 499, 508, 493, 498};
  double mean = 0, squares = 0;
  for (const double u : up) mean += u / 10;
  for (const double u : up) squares += (u - mean) * (u - mean);
  for (const double u : up) {
    blocks.push_back({{u, 1000, 0, 0}, {500, 1000, 500, 1000}, {0, 0, 500, 1000}});
    addTo(all, blocks.back());
  }
  const NumberDistribution d = distributionOf(all, 1);
  ASSERT_EQ(d.lnP.size(), 3u);
  const DistributionJackknife jackknife(d, blocks, 1);
  const std::vector<double> error = jackknife.errorsAt(0);
  // ln P(0) = -ln(1 + 2 r), r = P(1) / P(0) about 1: its error is 2/3 of that of ln r.
  const double ofLnRatio = std::sqrt(squares / 90) / mean;
  EXPECT_NEAR(error[0], ofLnRatio * 2 / 3, 0.02 * ofLnRatio);
  EXPECT_NEAR(error[1], ofLnRatio / 3, 0.02 * ofLnRatio);
  EXPECT_DOUBLE_EQ(error[1], error[2]);
}

TEST(GcmcDistributionJackknife, SaysNothingBeyondARatioThatOneBlockAloneKnows) {
  std::vector<TransitionSums> blocks;
  TransitionSums all(4, GcmcTransition{0, 0, 0, 0});
  for (int b = 0; b < 10; ++b) {
    const double alone = b == 3 ? 30 : 0;
    blocks.push_back({{900.0 + b, 1000, 0, 0},
                      {500, 1000, 500, 1000},
                      {alone, alone, 500, 1000},
                      {0, 0, 0.5 * alone, alone}});
    addTo(all, blocks.back());
  }
  const DistributionJackknife jackknife(distributionOf(all, 1), blocks, 1);
  const std::vector<double> error = jackknife.errorsAt(-0.9);
  ASSERT_EQ(error.size(), 4u);
  EXPECT_TRUE(std::isfinite(error[0]));
  EXPECT_TRUE(std::isfinite(error[2]));
  EXPECT_TRUE(std::isnan(error[3]));
  blocks.resize(kFewestBlocks - 1);
  EXPECT_TRUE(DistributionJackknife(distributionOf(all, 1), blocks, 1).errorsAt(0).empty());
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

}  // namespace
}  // namespace cellscope::test
