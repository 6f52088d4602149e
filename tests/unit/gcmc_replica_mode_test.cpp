// Replicas beside the chain that is seen: isotherms, windows of N, ln P(N) and coexistence, files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/modes/gcmc/number_distribution.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using gcmc::coexistenceOf;
using gcmc::distributionOf;
using gcmc::NumberDistribution;

// Sums of exact acceptance probabilities that belong to a distribution.
std::vector<GcmcTransition> transitionsOf(const std::vector<double>& lnP) {
  std::vector<GcmcTransition> all(lnP.size(), GcmcTransition{0, 100, 0, 100});
  for (std::size_t n = 0; n + 1 < lnP.size(); ++n) {
    const double step = lnP[n + 1] - lnP[n];
    all[n].up = 100 * std::min(1.0, std::exp(step));
    all[n + 1].down = 100 * std::min(1.0, std::exp(-step));
  }
  return all;
}

TEST(GcmcNumberDistribution, ComesBackFromItsTransitions) {
  std::vector<double> lnP;
  for (int n = 0; n < 60; ++n) lnP.push_back(n * std::log(20.0) - std::lgamma(n + 1.0));
  const NumberDistribution d = distributionOf(transitionsOf(lnP), 1);
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
  const auto c = coexistenceOf(distributionOf(transitionsOf(lnP), 1));
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->shift, -tilt, 1e-6);
  EXPECT_NEAR(c->vapour, 20, 1e-3);
  EXPECT_NEAR(c->liquid, 75, 1e-3);
  EXPECT_GT(c->depth, 10);
}

// A gap ends what is known, and few attempts are no knowledge.
TEST(GcmcNumberDistribution, StopsAtAGap) {
  std::vector<GcmcTransition> t = transitionsOf(std::vector<double>(50, 0.0));
  t[30].insertions = 3;
  EXPECT_EQ(distributionOf(t, 1).lnP.size(), 31u);
}

std::unique_ptr<Mode> replicas(const std::string& more, int threads = 2) {
  return gcmcMode("length=6 moves_per_step=500 " + more, threads);
}

const std::string kIdeal =
    "potential=ideal_gas tail=false temperature=2 density=0.1 replicas=4 replica_first=-5 "
    "replica_last=-2";

// rho = z: each point within five of its errors.
TEST(GcmcReplicaMode, TheIsothermOfAnIdealGas) {
  auto mode = replicas(kIdeal);
  mode->advance(100);
  mode->resetAverages();
  mode->advance(1500);
  const Curve c = curveOf(*mode, "replica_isotherm");
  ASSERT_FALSE(c.series.empty());
  const CurveSeries& s = c.series.front();
  ASSERT_EQ(s.x.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(s.x[k], -5 + static_cast<double>(k), 1e-12);
    EXPECT_NEAR(s.y[k], std::exp(s.x[k] / 2), 5 * s.error[k]) << k;
    EXPECT_LT(s.error[k], 0.05 * s.y[k]);
  }
}

// What all chains give together is no result before each of them is in equilibrium, and then
// without the way there: replicas of a dense lattice whose fluid is dilute.
TEST(GcmcReplicaMode, TheJoinedLineWaitsForEquilibriumAndLeavesTheWayOut) {
  auto mode = replicas(
      "potential=ideal_gas tail=false temperature=2 density=0.5 moves_per_step=10 replicas=24 "
      "replica_first=-5 replica_last=-4.5");
  const auto joined = [&] {
    for (const CurveSeries& s : curveOf(*mode, "replica_isotherm").series)
      if (s.label.starts_with("from ln P(N)")) return s;
    return CurveSeries{};
  };
  const auto longest = [&] { return curveOf(*mode, "replica_ln_number").series.front().x.back(); };
  mode->advance(40);
  EXPECT_EQ(joined().label, "from ln P(N), equilibrating");
  EXPECT_TRUE(joined().provisional);
  const double dense = longest();
  EXPECT_GT(dense, 50);
  mode->advance(6000);
  EXPECT_EQ(joined().label, "from ln P(N)");
  EXPECT_FALSE(joined().provisional);
  EXPECT_LT(longest(), dense);  // N of the lattice were not met again
}

// Acceptance probabilities of an ideal gas depend on N alone: ln P(N) is Poisson to rounding, at
// any chemical potential that it is looked at.
TEST(GcmcReplicaMode, WindowsOfAnIdealGasArePoissonian) {
  auto mode = replicas(kIdeal + " replicas_differ_by=window replica_most=60 replicas=7");
  mode->advance(310);  // windows tune for 300 steps
  for (const double mu : {-3.0, -4.0}) {
    change(*mode, fmt::format("chemical_potential={}", mu));
    const Curve c = curveOf(*mode, "replica_ln_number");
    ASSERT_EQ(c.series.size(), 1u) << "no second phase";
    const CurveSeries& s = c.series.front();
    ASSERT_GE(s.y.size(), 60u);
    const double zV = std::exp(mu / 2) * 216;
    for (std::size_t n = 1; n < s.y.size(); ++n)
      EXPECT_NEAR(s.y[n] - s.y[n - 1], std::log(zV / static_cast<double>(n)), 1e-9) << n;
  }
}

// What chains meet while they tune is no result: charts stay empty and count down, and no lamp
// names a coexistence.
TEST(GcmcReplicaMode, WindowsThatTuneShowNoResult) {
  auto mode = replicas(
      "temperature=1.2 density=0.3 replicas=20 replicas_differ_by=window replica_most=150");
  for (const int done : {1, 150, 299}) {
    mode->advance(static_cast<std::uint64_t>(done) - mode->step());
    const std::string left =
        std::to_string(300 - done) + (done == 299 ? " step left" : " steps left");
    for (const char* id : {"replica_ln_number", "replica_coexistence", "replica_isotherm"}) {
      const Curve c = curveOf(*mode, id);
      for (const CurveSeries& s : c.series) EXPECT_FALSE(s.source.empty()) << id << ": " << s.label;
      EXPECT_EQ(c.waiting, "windows tune: " + left) << id;
    }
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_NE(c.label, "coexistence");
    expectWords(detailOf(*mode, "replicas"), {left});
  }
  mode->advance(21);
  EXPECT_FALSE(curveOf(*mode, "replica_ln_number").series.empty());
  EXPECT_EQ(curveOf(*mode, "replica_ln_number").waiting, "");
}

// Supercritical: <N> from the windows is that of the chain that is seen (5 % of statistics).
TEST(GcmcReplicaMode, WindowsOfAFluidGiveTheMeanOfTheChain) {
  auto mode = replicas(
      "temperature=2 activity=0.1 density=0.1 replicas=8 replicas_differ_by=window "
      "replica_most=80");
  mode->advance(700);
  double chain = 0;
  for (int k = 0; k < 700; ++k) {
    mode->advance(1);
    chain += static_cast<double>(mode->particleCount()) / 700;
  }
  const CurveSeries s = curveOf(*mode, "replica_ln_number").series.at(0);
  ASSERT_GE(s.y.size(), 75u);
  double mean = 0;
  for (std::size_t n = 0; n < s.y.size(); ++n) mean += s.x[n] * std::exp(s.y[n]);
  EXPECT_NEAR(mean, chain, 0.05 * chain);
}

TEST(GcmcReplicaMode, ResumesBitForBit) {
  for (const char* kind : {"potential", "window", "temperature", "seed"}) {
    SCOPED_TRACE(kind);
    const std::string a = fmt::format("replicas=3 replicas_differ_by={} replica_most=90", kind);
    auto mode = replicas(a), other = replicas("", 1);
    mode->advance(5);
    change(*mode, "chemical_potential=-2.5");
    mode->advance(5);
    expectResumes(*mode, *other, 5);
  }
}

TEST(GcmcReplicaMode, ImpossibleWindowsAreRefusedWithTheWayOut) {
  const auto refusal = [](const std::string& more) {
    return messageOf<InputError>([&] { replicas("replicas=8 replicas_differ_by=window " + more); });
  };
  expectWords(refusal("replica_most=7"), {"fewer replicas"});
  expectWords(refusal("replica_most=900"), {"at most 259"});
}

// While windows tune there is no result, and what is published is seen with what is left to wait.
TEST(GcmcReplicas, PublishedCurvesStandWhileWindowsTune) {
  const auto mode = gcmcMode(
      "length=8 density=0.3 temperature=1.2 chemical_potential=-3.637 moves_per_step=1 replicas=48 "
      "replicas_differ_by=window replica_most=380");
  for (const char* id : {"replica_ln_number", "replica_coexistence"}) {
    const Curve c = curveOf(*mode, id);
    ASSERT_EQ(c.series.size(), 1u) << id;
    EXPECT_TRUE(c.series[0].reference) << id;
    EXPECT_EQ(c.waiting, "windows tune: 300 steps left") << id;
  }
  EXPECT_EQ(curveOf(*mode, "replica_ln_number").series[0].y.size(), 381u);
}

}  // namespace
}  // namespace cellscope::test
