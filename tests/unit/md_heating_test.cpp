// The heating curve: what it keeps, what is read off it, and that it goes on from a checkpoint.
#include <limits>

#include "sim/modes/md/observables.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

using md::Boiling, md::HeatingCurve;

std::vector<std::string> idsOfCharts(MdMode& mode) {
  std::vector<std::string> ids;
  for (const Curve& c : mode.curves()) ids.push_back(c.id);
  return ids;
}

// Means of equal numbers of samples, whose mean over all is that of the samples: sums of whole
// numbers below 2^53 and halves of them are exact.
TEST(MdHeating, JoinsPointsAndKeepsTheirMean) {
  HeatingCurve curve;
  constexpr int kSamples = 8 * 1024;
  for (int k = 0; k < kSamples; ++k) curve.add({1.0 * k, -2.0 * k, 1, 0});
  const auto& points = curve.points();
  ASSERT_EQ(points.size(), HeatingCurve::kMost / 2);
  double t = 0, h = 0;
  for (const HeatingCurve::Point& p : points) t += p.temperature, h += p.heat;
  const auto n = static_cast<double>(points.size());
  EXPECT_EQ(t / n, 0.5 * (kSamples - 1));
  EXPECT_EQ(h / n, -1.0 * (kSamples - 1));
  curve.add({3, 4, 5, 6});
  HeatingCurve again;
  ASSERT_TRUE(again.restore(curve.numbers()));
  EXPECT_EQ(again.numbers(), curve.numbers());
  ASSERT_TRUE(again.restore({}));
  EXPECT_TRUE(again.numbers().empty());
  std::vector<double> bad = curve.numbers();
  bad.pop_back();
  EXPECT_FALSE(again.restore(bad));
  bad = curve.numbers(), bad[3] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(again.restore(bad));
}

// A straight liquid and a vapour of a virial series are continued without error; a crystal and what
// is still expanding are left out.
TEST(MdHeating, ReadsTheHeatOfEvaporationOffBothBranches) {
  const std::optional<Boiling> nist = md::publishedBoiling(0.02495, 3.0, true);
  ASSERT_TRUE(nist);
  EXPECT_EQ(nist->temperature, 1.0);
  EXPECT_NEAR(nist->heat(), 5.424, 0.001);
  EXPECT_FALSE(md::publishedBoiling(0.0251, 3.0, true));
  EXPECT_FALSE(md::publishedBoiling(0.02495, 2.5, true));
  EXPECT_FALSE(md::publishedBoiling(0.02495, 3.0, false));
  const auto liquid = [](double t) { return -3.4 + 5 * (t - 1); };
  const auto vapour = [](double t) { return 2.5 * t - 0.4 / (t * t); };
  std::vector<HeatingCurve::Point> points;
  for (double t = 0.86; t < 1.14; t += 0.02) {
    points.push_back({t, liquid(t), 0.7, 0});
    points.push_back({t, -6, 0.95, 0});
  }
  EXPECT_FALSE(md::heatOfEvaporation(points, *nist));
  for (double t = 1.3; t < 1.6; t += 0.02) {
    // Not yet expanded: its pressure is too high by 0.1 of the density, its excess in proportion.
    const double pressure = 0.02495 + 0.1 * 0.02, ideal = 2.5 * t;
    points.push_back({t, ideal + (vapour(t) - ideal) * pressure / 0.02495 - 0.1, 0.02, pressure});
    points.push_back({t, 1, 0.06, 0.02495});
  }
  const auto found = md::heatOfEvaporation(points, *nist);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->liquid, liquid(1), 1e-12);
  EXPECT_NEAR(found->vapour, vapour(1), 1e-12);
  EXPECT_LT(found->error, 1e-12);
  HeatingCurve none;
  const Curve waits = md::heatingChart(none, 0.5, 0.02495, nist);
  EXPECT_FALSE(waits.waiting.empty());
  ASSERT_EQ(waits.series.size(), 2u);
  EXPECT_TRUE(waits.series[1].reference);
  EXPECT_EQ(waits.series[1].source, nist->source);
}

// A crystal at rest gives half of its motion to its bonds: it is not yet on the curve of the bath.
TEST(MdHeating, PointsBeforeTheBathIsReachedStandApart) {
  HeatingCurve curve;
  for (const double t : {0.3, 0.4, 0.49, 0.47, 0.52})
    for (int k = 0; k < 8; ++k) curve.add({t, -7, 0.95, 0});
  const Curve chart = md::heatingChart(curve, 0.5, std::nullopt, std::nullopt);
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_EQ(chart.series[0].y.size(), 3u);
  EXPECT_EQ(chart.series[1].y.size(), 2u);
  EXPECT_TRUE(chart.series[1].provisional);
  EXPECT_EQ(md::heatingChart(curve, 0.35, std::nullopt, std::nullopt).series[1].y.size(), 1u)
      << "beyond at once";
}

TEST(MdHeating, IsAChartOfARampAndGoesOnFromACheckpoint) {
  auto plain = small();
  EXPECT_EQ(std::ranges::count(idsOfCharts(*plain), "heating"), 0);
  auto a = startedMd("n=256 density=0.8442 thermostat=bussi ramp_steps=1000 end_temperature=3");
  EXPECT_EQ(std::ranges::count(idsOfCharts(*a), "heating"), 1);
  const auto run = [](MdMode& mode, int samples) {
    for (int k = 0; k < samples; ++k) mode.advance(2), mode.sample();
  };
  run(*a, 20);
  MdMode b(kOneThread);
  load(b, saved(*a));
  run(*a, 20), run(b, 20);
  EXPECT_EQ(saved(*a), saved(b));
  const auto points = [](MdMode& mode) {
    std::vector<double> all;  // the approach to the bath too
    for (const Curve& c : mode.curves())
      for (std::size_t k = 0; c.id == "heating" && k < c.series.size(); ++k)
        all.insert(all.end(), c.series[k].y.begin(), c.series[k].y.end());
    return all;
  };
  EXPECT_EQ(points(*a).size(), 5u);
  EXPECT_EQ(points(*a), points(b));
  a->resetAverages();
  EXPECT_TRUE(points(*a).empty());
}

// While the temperature rises a mean is one of no state.
TEST(MdHeating, NothingHasAMeanUntilTheRampEnds) {
  auto mode = small();
  const auto& all = mode->info().observables;
  const std::size_t temperature = columnOf(all, "temperature");
  const auto grows = [&] { return mode->info().observables.at(temperature).grows; };
  EXPECT_FALSE(grows());
  restartWith(*mode, "thermostat=bussi ramp_steps=100");
  EXPECT_TRUE(grows());
  mode->advance(99);
  EXPECT_TRUE(grows());
  mode->advance(30);
  EXPECT_FALSE(grows());
  EXPECT_TRUE(mode->info().observables.at(columnOf(mode->info().observables, "msd")).grows);
}

}  // namespace
}  // namespace cellscope::test
