// Charts of averages say what the averages of the observables say, from where those begin; points
// of the charts of replicas leave the approach to equilibrium out, each by its own test.
#include <random>

#include "sim/modes/gcmc/observables.h"
#include "sim/modes/gcmc/replica_run.h"
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
  return std::make_unique<Session>(s, kOneThread);
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
    gcmc::GcmcSample sample{.particles = static_cast<double>(number(random))};
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

// The distribution of numbers leaves the approach out, too, and a point that is left stays as it
// was.
TEST(AveragedCharts, APointOfTheIsothermIsTheMeanThatIsWatched) {
  const auto s = sessionOf(fillingGas());
  const double first = static_cast<double>(s->mode().particleCount());
  s->advance(40);
  EXPECT_TRUE(seriesOf(*s, "isotherm", kRun).x.empty());
  for (const char* chart : {"isotherm", "number", "ln_number"})
    EXPECT_TRUE(seriesOf(*s, chart, kProvisional).provisional) << chart;
  EXPECT_LT(seriesOf(*s, "number", kProvisional).x.front(), first + 10);
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
  EXPECT_GT(seriesOf(*s, "number", kRun).x.front(), first + 10);
  expectStepsSince(*s, density.equilibratedFrom);
  for (const double activity : {0.1, 0.6}) s->set("activity", activity), s->advance(20);
  const CurveSeries settled = seriesOf(*s, "isotherm", kRun),
                    left = seriesOf(*s, "isotherm", kProvisional);
  ASSERT_EQ(settled.x.size(), 1u);
  EXPECT_EQ(settled.y[0], density.equilibratedMean);
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
    const auto b = Session::resumeFrom(a->checkpoint(), "test", kOneThread);
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

constexpr const char *kSettled = "replicas", *kHollow = "replicas, equilibrating";

// Ideal gases in a box that begins with 216 particles, at eight chemical potentials at which it
// holds 11 to 80: exactly exp(mu / T) V.
const std::string kCrowded =
    "potential=ideal_gas tail=false length=6 density=1 temperature=2 chemical_potential=-3 "
    "moves_per_step=8 replicas=8 replica_first=-6 replica_last=-2";

gcmc::GcmcParameters parametersOf(const std::string& values) {
  gcmc::GcmcParameters p;
  ParameterSet set = ParameterSet::of(p);
  assign(set, values);
  p.activity = activityOfPotential(p.mu, p.temperature);
  return p;
}

struct Chains {
  explicit Chains(const gcmc::GcmcParameters& parameters)
      : p(parameters), run(exec::makeExec({.backend = Backend::cpu, .threads = 1})) {
    run.start(p);
  }
  void step() { run.advance(p, static_cast<std::uint64_t>(p.movesPerStep)); }
  double n(std::size_t k) const { return run.now()[k].n; }
  CurveSeries series(const std::string& chart, const std::string& label) const {
    for (const Curve& c : run.curves(p))
      for (const CurveSeries& s : c.series)
        if (c.id == chart && s.label == label) return s;
    return {};
  }
  gcmc::GcmcParameters p;
  gcmc::ReplicaRun run;
};

// A fall of some 190 particles in about 80 of 6000 steps raises a mean over all of them by about
// 10 standard errors at the lowest potential. Points: Student's t of 31 degrees of freedom or more
// lies beyond five once in 50,000; of eight points, a false alarm in 6000 tests. The seed is fixed.
TEST(GcmcReplicaAverages, AStartFarFromEquilibriumIsLeftOut) {
  Chains c(parametersOf(kCrowded));
  std::vector<BlockAverage> all(c.run.size());
  for (int step = 0; step < 6000; ++step) {
    c.step();
    for (std::size_t k = 0; k < all.size(); ++k) all[k].add(c.n(k));
  }
  const CurveSeries s = c.series("replica_isotherm", kSettled);
  ASSERT_EQ(s.x.size(), all.size()) << "each is in equilibrium";
  EXPECT_FALSE(s.provisional);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_NEAR(s.x[k], -6 + 4 * static_cast<double>(k) / 7, 1e-12);
    const double exact = std::exp(s.x[k] / 2);
    EXPECT_NEAR(s.y[k], exact, 5 * s.error[k]) << k;
    EXPECT_LT(s.error[k], 0.1 * exact);
    EXPECT_GT(all[k].mean() / 216 - exact, k < 3 ? 5 * s.error[k] : 0) << k << ": with the fall";
  }
}

// Nothing but the rule of the averages of observables, for each replica alone.
TEST(GcmcReplicaAverages, EachFollowsTheRuleOfAllAverages) {
  Chains c(parametersOf(kCrowded));
  std::vector<EquilibratedAverages> rule(c.run.size(), EquilibratedAverages({true, true}));
  std::size_t mixed = 0;
  for (std::uint64_t step = 1; step <= 1200; ++step) {
    c.step();
    for (std::size_t k = 0; k < rule.size(); ++k) rule[k].add(step, {c.n(k), 0});
    if (step % 24 != 0) continue;
    std::map<double, std::pair<double, bool>> shown;
    const CurveSeries settled = c.series("replica_isotherm", kSettled),
                      provisional = c.series("replica_isotherm", kHollow);
    EXPECT_TRUE(provisional.x.empty() || provisional.provisional);
    for (const CurveSeries* s : {&settled, &provisional})
      for (std::size_t i = 0; i < s->x.size(); ++i) shown[s->x[i]] = {s->y[i], s == &settled};
    ASSERT_EQ(shown.size(), rule.size()) << step;
    EXPECT_TRUE(settled.x.empty() || step > 24) << "too early to tell";
    mixed += !settled.x.empty() && !provisional.x.empty() ? 1 : 0;
    for (std::size_t k = 0; k < rule.size(); ++k) {
      const auto [y, filled] = shown.at(gcmc::placeOf(c.p, k));
      EXPECT_EQ(y, rule[k].average(0).mean() / 216) << k;
      EXPECT_EQ(filled, rule[k].equilibrated() && rule[k].scatters(0)) << k;
    }
  }
  EXPECT_GT(mixed, 0u) << "some are in equilibrium before others";
}

// With seeds: the mean of those in equilibrium, once there are two.
TEST(GcmcReplicaAverages, TheMeanOfSeedsIsThatOfFilledPoints) {
  Chains c(parametersOf(kCrowded + " replicas_differ_by=seed chemical_potential=-4"));
  const char* const kMean = "mean in equilibrium, error from the scatter of the seeds";
  for (int step = 0; step < 30; ++step) c.step();
  EXPECT_EQ(c.series("replica_isotherm", kHollow).x.size(), 8u);
  EXPECT_TRUE(c.series("replica_isotherm", kMean).x.empty());
  for (int step = 0; step < 3000; ++step) c.step();
  const CurveSeries points = c.series("replica_isotherm", kSettled),
                    mean = c.series("replica_isotherm", kMean);
  ASSERT_GT(points.y.size(), 2u);
  ASSERT_EQ(mean.y.size(), 2u);
  const double n = static_cast<double>(points.y.size());
  double sum = 0, squares = 0;
  for (const double y : points.y) sum += y / n;
  for (const double y : points.y) squares += (y - sum) * (y - sum);
  EXPECT_NEAR(mean.y[0], sum, 1e-12);
  EXPECT_NEAR(mean.error[0], std::sqrt(squares / (n * (n - 1))), 1e-12);
  EXPECT_NEAR(mean.y[0], std::exp(-2.0), 5 * mean.error[0])
      << "t of 7: once in 600 at another seed";
}

std::unique_ptr<Session> sessionOf(const std::string& values) {
  return std::make_unique<Session>(scenarioWith("gcmc", values), kOneThread);
}

// A beginning that was chosen stays, and what drifts after it is hollow.
TEST(GcmcReplicaAverages, ABeginningThatWasChosenIsKept) {
  const auto s = sessionOf(kCrowded);
  s->discard(30);
  s->advance(400);
  Chains c(parametersOf(kCrowded));
  std::vector<double> sum(c.run.size());
  for (int step = 1; step <= 400; ++step) {
    c.step();
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += step > 30 ? c.n(k) / 370 : 0;
  }
  const Curve chart = curveOf(s->mode(), "replica_isotherm");
  ASSERT_EQ(chart.series.front().label, kHollow) << "30 steps are too few";
  ASSERT_EQ(chart.series.front().y.size(), sum.size());
  for (std::size_t k = 0; k < sum.size(); ++k)
    EXPECT_NEAR(chart.series.front().y[k] * 216, sum[k], 1e-9) << k;
}

// Before and after the tests pass, and with a beginning that was chosen.
TEST(GcmcReplicaAverages, GoOnFromACheckpointAsIfNothingHadHappened) {
  for (const std::uint64_t discard : {0, 20})
    for (const std::uint64_t at : {15, 25, 150, 700}) {
      SCOPED_TRACE(at);
      const auto whole = sessionOf(kCrowded), part = sessionOf(kCrowded);
      for (Session* s : {whole.get(), part.get()}) s->discard(discard);
      part->advance(at);
      const auto resumed = Session::resumeFrom(part->checkpoint(), "test", kOneThread);
      EXPECT_EQ(chartsOf(resumed->mode()), chartsOf(part->mode()));
      whole->advance(1003), resumed->advance(1003 - at);
      EXPECT_EQ(chartsOf(resumed->mode()), chartsOf(whole->mode()));
      EXPECT_EQ(saved(resumed->mode()), saved(whole->mode()));
    }
}

// ln P(N) is brought up to date now and then while a window looks on; files must not show when.
TEST(GcmcReplicaAverages, FilesDoNotShowWhoLookedBefore) {
  const auto asked = sessionOf(kCrowded), left = sessionOf(kCrowded);
  asked->advance(1000), left->advance(1000);
  static_cast<void>(asked->mode().curves());
  asked->advance(5), left->advance(5);
  for (Session* s : {asked.get(), left.get()}) static_cast<void>(s->mode().selfChecks());
  EXPECT_EQ(chartsOf(asked->mode()), chartsOf(left->mode()));
}

// The reservoir of the chain that is seen is none of the replicas' business.
TEST(GcmcReplicaAverages, AnotherPotentialOfTheChainThatIsSeenLeavesThemAsTheyAre) {
  const auto s = sessionOf(kCrowded);
  s->advance(1000);
  const Curve before = curveOf(s->mode(), "replica_isotherm");
  s->set("chemical_potential", -4.0);
  const Curve after = curveOf(s->mode(), "replica_isotherm");
  ASSERT_EQ(after.series.size(), before.series.size());
  EXPECT_EQ(after.series.front().y, before.series.front().y);
  EXPECT_FALSE(curveOf(s->mode(), "replica_ln_number").series.empty());
}

// What is said of a replica's memory (replica_run.h) holds: 10^6 steps, 10^8 by growth of the
// logarithms.
TEST(GcmcReplicaAverages, MemoryGrowsWithTheLogarithmOfTheRun) {
  gcmc::ReplicaAverages a, windows;
  a.start(1, true), windows.start(1, false);
  std::size_t before = 0;
  for (std::uint64_t step = 1; step <= 1 << 20; ++step) {
    a.add(0, step, static_cast<double>(step * 7919 % 101), 1);
    windows.add(0, step, static_cast<double>(step % 101), 1);
    if (step == 1 << 17) before = a.bytes();
  }
  EXPECT_LT(a.bytes(), 52u << 10);
  EXPECT_LT(a.bytes(), 2 * before);
  EXPECT_LT(windows.bytes(), 4u << 10);
  EXPECT_FALSE(windows.mean(0, gcmc::ReplicaMean::energy));
}

}  // namespace
}  // namespace cellscope::test
