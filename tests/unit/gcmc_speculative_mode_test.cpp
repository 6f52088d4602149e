// Speculative moves as a method of grand-canonical Monte Carlo: the run of the other methods, its
// waste as observable and chart, files, experiments; and experiments of methods are flagged only
// where they act.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/run/session.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

std::unique_ptr<Mode> speculative(const std::string& more = "", int threads = 1) {
  return gcmcMode(
      "method=speculative length=7 density=0.4 temperature=1.5 activity=0.2 cutoff=2.5 " + more,
      threads);
}

TEST(GcmcSpeculativeMode, TheRunIsThatOfOtherMethods) {
  auto serial = speculative("method=serial_cells");
  serial->advance(5);
  EXPECT_EQ(sampled(*serial, "wasted_evaluations"), 0);
  for (const std::int64_t candidates : {0, 1, 20}) {
    auto mode = speculative(fmt::format("candidates={}", candidates), 2);
    mode->advance(5);
    expectSameParticles(*serial, *mode);
    EXPECT_EQ(serial->work(), mode->work());
  }
}

// Of k candidates (1 - (1 - A)^k) / A count, with A the acceptance; the chart says the same.
TEST(GcmcSpeculativeMode, TheWasteIsShown) {
  auto mode = speculative("candidates=12 moves_per_step=6000");
  mode->advance(5);
  const std::vector<double> values = mode->sample();
  const auto value = [&](const char* key) {
    return values[columnOf(mode->info().observables, key)];
  };
  const double a = 0.3 * value("acceptance_displacement") +
                   0.35 * (value("acceptance_insertion") + value("acceptance_deletion"));
  const double count = (1 - std::pow(1 - a, 12)) / a;
  EXPECT_NEAR(value("candidates_per_round"), 12, 0.1);
  EXPECT_NEAR(value("wasted_evaluations"), (12 - count) / count, 0.1 * (12 - count) / count);
  const Curve c = curveOf(*mode, "speculation");
  ASSERT_EQ(c.series.size(), 1u);
  double sum = 0, mean = 0;
  for (std::size_t k = 0; k < c.series[0].x.size(); ++k)
    sum += c.series[0].y[k], mean += c.series[0].x[k] * c.series[0].y[k];
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(mean, count, 0.1 * count);
}

// The chart counts, as the mean beside it does, from where the averages begin.
TEST(GcmcSpeculativeMode, TheChartLeavesTheApproachToEquilibriumOut) {
  auto mode = speculative("moves_per_step=50");
  const auto chart = [&] { return curveOf(*mode, "speculation"); };
  std::vector<MeanState> means(mode->info().observables.size());
  for (int k = 0; k < 40; ++k) mode->advance(1), mode->sample();
  mode->averagesAre(0, means);
  ASSERT_EQ(chart().series.size(), 1u);
  EXPECT_TRUE(chart().series[0].provisional);
  for (MeanState& mean : means) mean.settled = true;
  mode->averagesBeginLater();
  mode->averagesAre(32, means);
  EXPECT_TRUE(chart().series.empty()) << "counted from here on";
  mode->advance(1), mode->sample();
  mode->averagesAre(32, means);
  ASSERT_EQ(chart().series.size(), 1u);
  EXPECT_FALSE(chart().series[0].provisional);
}

// The running acceptance is in the file: also what is discarded goes on exactly.
TEST(GcmcSpeculativeMode, ResumesBitForBit) {
  auto mode = speculative(), other = speculative("density=0.1");
  mode->advance(7);
  expectResumes(*mode, *other, 9);
}

TEST(GcmcSpeculativeMode, WrongBatchesAreSaidToBeOnPurpose) {
  auto mode = speculative("speculative_batch=apply_all");
  mode->advance(20);
  expectDriftOnPurpose(*mode);
}

// Red in the window, in files and pictures: only what acts.
TEST(GcmcExperiments, AreFlaggedWhereTheyAct) {
  const std::pair<const char*, std::string> all[] = {
      {"checkerboard_condition=skip_empty", "checkerboard"},
      {"ignore_conflicts=true", "in_order"},
      {"speculative_batch=count_discarded", "speculative"},
      {"insertion_sign_as_printed=true", ""}};
  for (const char* method : {"auto", "serial", "checkerboard", "in_order", "speculative"})
    for (const auto& [experiment, acts] : all) {
      const Session session(
          scenarioWith("gcmc", fmt::format("method={} length=12.5 {}", method, experiment)),
          {Backend::cpu, 1, 0});
      const bool flagged = acts.empty() || acts == method;
      EXPECT_EQ(session.experiments().size(), flagged ? 1u : 0u) << method << ", " << experiment;
    }
}

// A change of the method alone changes what is flagged.
TEST(GcmcExperiments, FollowTheMethod) {
  Session session(scenarioWith("gcmc",
                               "method=checkerboard length=12.5 "
                               "checkerboard_condition=skip_empty"),
                  {Backend::cpu, 1, 0});
  EXPECT_EQ(session.experiments().size(), 1u);
  session.set("method", std::string("serial_cells"));
  EXPECT_TRUE(session.experiments().empty());
}

}  // namespace
}  // namespace cellscope::test
