// Charts of averages say what the averages of the observables say, from where those begin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sim/modes/gcmc/observables.h"
#include "sim/run/session.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

constexpr const char *kRun = "this run", *kProvisional = "this run, equilibrating";

// An ideal gas that starts far too dilute and takes in a particle in few steps.
Scenario fillingGas() {
  return scenarioWith(
      "gcmc", "potential=ideal_gas tail=false length=6 density=0.02 activity=0.4 moves_per_step=8");
}

Scenario looseDisks() { return scenarioWith("hard_disks", "n=64 packing=0.4 start=hexagonal"); }

std::unique_ptr<Session> sessionOf(Scenario s) {
  s.sampleEvery = 1;
  return std::make_unique<Session>(s, ExecConfig{Backend::cpu, 1, 0});
}

ObservableSeries watched(const Session& s, const char* id) {
  for (ObservableSeries& one : s.history().series())
    if (one.info.id == id) return one;
  return {};
}

CurveSeries seriesOf(const Session& s, const char* chart, const char* label) {
  for (CurveSeries& one : curveOf(s.mode(), chart).series)
    if (one.label == label) return one;
  return {};
}

// Each number of particles lasts ten steps: its share is as uncertain as if it had been counted
// once. The error of a mean over 4000 numbers is known to 6 %, as the blocks make it 3 % too large.
TEST(AveragedCharts, SharesOfTheDistributionHaveTheErrorsOfIndependentSamples) {
  constexpr int kNumbers = 4000;
  std::mt19937_64 random(5);
  std::poisson_distribution<std::uint32_t> number(30);
  gcmc::GcmcSampler sampler;
  for (int k = 0; k < kNumbers; ++k) {
    gcmc::GcmcSample sample;
    sample.particles = number(random);
    for (int step = 0; step < 10; ++step) {
      sampler.count(static_cast<std::uint32_t>(sample.particles));
      sampler.add(sample);
    }
  }
  const std::vector<Curve> all = sampler.curves({});
  const CurveSeries &share = all[0].series[0], &logarithm = all[1].series[0];
  const double chosen = 24;  // N with a share of some 4 %
  const auto at = static_cast<std::size_t>(chosen - 0.5 - share.x[0]);
  const double p = share.y[at], expected = std::sqrt((1 - p) / (p * kNumbers));
  EXPECT_NEAR(share.error[at], p * expected, 0.2 * p * expected);
  const auto same = std::find(logarithm.x.begin(), logarithm.x.end(), chosen) - logarithm.x.begin();
  EXPECT_NEAR(logarithm.error[static_cast<std::size_t>(same)], expected, 0.2 * expected);
}

// All shares of the distribution are whole numbers of these steps.
void expectStepsSince(const Session& s, std::uint64_t from) {
  const auto steps = static_cast<double>(s.step() - from);
  const std::vector<double> shares = seriesOf(s, "number", kRun).y;
  for (const double share : shares)
    EXPECT_NEAR(share * steps, std::round(share * steps), 1e-6) << steps;
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
}

TEST(AveragedCharts, APointOfTheIsothermIsTheMeanThatIsWatched) {
  const auto s = sessionOf(fillingGas());
  s->advance(40);
  EXPECT_TRUE(seriesOf(*s, "isotherm", kRun).x.empty());
  EXPECT_TRUE(seriesOf(*s, "isotherm", kProvisional).provisional);
  s->advance(3960);
  const ObservableSeries density = watched(*s, "density");
  ASSERT_TRUE(density.equilibrated);
  ASSERT_GT(density.leftOut, 0u);
  const CurveSeries point = seriesOf(*s, "isotherm", kRun);
  ASSERT_EQ(point.x.size(), 1u);
  EXPECT_FALSE(point.provisional);
  EXPECT_EQ(point.y[0], density.equilibratedMean);
  EXPECT_EQ(point.error[0], density.equilibratedError);
  EXPECT_NE(point.y[0], density.currentMean) << "which contains the approach";
}

TEST(AveragedCharts, TheDistributionOfNumbersLeavesTheApproachOut) {
  const auto s = sessionOf(fillingGas());
  const double first = static_cast<double>(s->mode().particleCount());
  s->advance(40);
  const CurveSeries before = seriesOf(*s, "number", kProvisional);
  EXPECT_TRUE(before.provisional);
  EXPECT_LT(before.x.front(), first + 10);
  EXPECT_TRUE(seriesOf(*s, "ln_number", kProvisional).provisional);
  s->advance(3960);
  const ObservableSeries density = watched(*s, "density");
  ASSERT_TRUE(density.equilibrated);
  EXPECT_GT(seriesOf(*s, "number", kRun).x.front(), first + 10);
  expectStepsSince(*s, density.equilibratedFrom);
}

TEST(AveragedCharts, APointThatIsLeftStaysAsItWas) {
  const auto s = sessionOf(fillingGas());
  s->advance(4000);
  const double mean = watched(*s, "density").equilibratedMean;
  s->set("activity", 0.1);
  s->advance(20);
  s->set("activity", 0.6);
  s->advance(20);
  const CurveSeries settled = seriesOf(*s, "isotherm", kRun),
                    left = seriesOf(*s, "isotherm", kProvisional);
  ASSERT_EQ(settled.x.size(), 1u);
  EXPECT_EQ(settled.y[0], mean);
  ASSERT_EQ(left.x.size(), 2u);
  EXPECT_EQ(left.highlight, std::optional<std::size_t>(1));
  EXPECT_LT(left.x[0], settled.x[0]);
}

TEST(AveragedCharts, ABeginningThatWasChosenIsKept) {
  const auto s = sessionOf(fillingGas());
  s->discard(500);
  s->advance(2000);
  const ObservableSeries density = watched(*s, "density");
  EXPECT_EQ(density.epochStart, 500u);
  for (const char* label : {kRun, kProvisional})
    for (const double y : seriesOf(*s, "isotherm", label).y) EXPECT_EQ(y, density.currentMean);
}

TEST(AveragedCharts, AreTheSameAfterACheckpoint) {
  for (const Scenario& scenario : {fillingGas(), looseDisks()}) {
    const auto a = sessionOf(scenario);
    a->advance(300);
    const auto b = Session::resumeFrom(a->checkpoint(), "test", ExecConfig{Backend::cpu, 1, 0});
    for (Session* s : {a.get(), b.get()}) s->advance(1300);
    EXPECT_EQ(chartsOf(a->mode()), chartsOf(b->mode()));
  }
}

// From a crystal, whose contacts are those of no fluid.
TEST(AveragedCharts, APointOfTheEquationOfStateIsTheMeanThatIsWatched) {
  const auto s = sessionOf(looseDisks());
  s->advance(40);
  EXPECT_TRUE(seriesOf(*s, "eos", kRun).x.empty());
  ASSERT_EQ(seriesOf(*s, "eos", kProvisional).x.size(), 1u);
  s->advance(2000);
  while (!s->history().equilibrated() && s->step() < 10000) s->advance(500);
  const ObservableSeries pressure = watched(*s, "pressure");
  ASSERT_TRUE(pressure.equilibrated);
  CurveSeries point = seriesOf(*s, "eos", kRun);
  ASSERT_EQ(point.x.size(), 1u);
  EXPECT_EQ(point.y[0], pressure.equilibratedMean);
  EXPECT_EQ(point.error[0], pressure.equilibratedError);
  s->set("packing", 0.42);
  s->finishPreparation();
  s->advance(20);
  point = seriesOf(*s, "eos", kRun);
  ASSERT_EQ(point.x.size(), 1u) << "the new one is not in equilibrium yet";
  EXPECT_EQ(point.y[0], pressure.equilibratedMean);
  EXPECT_EQ(seriesOf(*s, "eos", kProvisional).x.size(), 1u);
}

}  // namespace
}  // namespace cellscope::test
