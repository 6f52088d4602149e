// Plots against the step, without a window: what their axes say, and what is a result; what the
// legend of a plot names first.
#include <gtest/gtest.h>

#include "app/gui/format.h"
#include "app/gui/plot.h"

namespace cellscope::gui {
namespace {

ObservableInfo infoOf(const std::string& label, const std::string& symbol,
                      const std::string& unit) {
  return {.id = label, .label = label, .symbol = symbol, .unit = unit, .plot = "shared"};
}

class SharedAxis : public testing::Test {
 protected:
  void SetUp() override { printSymbols(false); }
  void TearDown() override { printSymbols(true); }
};

TEST_F(SharedAxis, SaysOnceWhatItsQuantitiesHaveInCommon) {
  const ObservableInfo dense = infoOf("Density of the denser box", "rho_l", "sigma^-d"),
                       dilute = infoOf("Density of the dilute box", "rho_v", "sigma^-d");
  EXPECT_EQ(axisOf({dense, dilute}, 3), "Density  (sigma^-3)");
  EXPECT_EQ(axisOf({infoOf("Chemical potential of box 1", "mu_1", "epsilon"),
                    infoOf("Chemical potential of box 2", "mu_2", "epsilon")},
                   3),
            "Chemical potential  (epsilon)");
  const ObservableInfo kinetic = infoOf("Kinetic energy", "K/N", "epsilon"),
                       potential = infoOf("Potential energy", "U/N", "epsilon"),
                       length = infoOf("Length", "L", "sigma");
  EXPECT_EQ(axisOf({kinetic, potential}, 3), "K/N, U/N  (epsilon)");
  EXPECT_EQ(axisOf({kinetic, potential, length}, 3), "K/N, U/N  (epsilon), L  (sigma)");
}

TEST_F(SharedAxis, NamesOneQuantityInWordsWhereItsSymbolHasAnIndex) {
  const ObservableInfo dense = infoOf("Density of the denser box", "rho_l", "sigma^-d");
  EXPECT_EQ(axisOf({dense}, 3), "Density of the denser box  (sigma^-3)");
  const ObservableInfo contact = infoOf("Pressure, contact extrapolation", "P*", "k_B T / sigma^2"),
                       scaled = infoOf("Pressure, scaled distribution", "P*", "k_B T / sigma^2");
  EXPECT_EQ(axisOf({contact, scaled}, 2), "P  (k_B T / sigma^2)");
}

// A mean that a run keeps by itself (ObservableInfo::isMean) is no result before equilibrium.
TEST(TimePlot, ShowsAMeanThatIsNoResultYetPale) {
  Publication now;
  auto mode = std::make_shared<ModeInfo>();
  now.mode = mode;
  Shell shell{.colours = &palette(true)};
  const auto opacity = [&](bool isMean, bool settled) {
    ObservableSeries s{.info = infoOf("Chemical potential of box 1", "mu_1", "epsilon")};
    s.info.grows = true, s.info.isMean = isMean;
    s.samples = 40, s.settled = settled;
    now.observables = std::vector<ObservableSeries>{s};
    shell.now = std::make_shared<const Publication>(now);
    Heading heading;
    return timePlot(shell, "shared", heading).series.at(0).opacity;
  };
  EXPECT_EQ(opacity(true, true), 1);
  EXPECT_LT(opacity(true, false), 0.7f);
  EXPECT_EQ(opacity(false, true), 1) << "a sum has a value at once";
}

TEST(Averages, SayWhetherTheirErrorIsABound) {
  ObservableSeries s;
  s.samples = 100, s.equilibrated = s.settled = true;
  s.equilibratedMean = 0.5, s.equilibratedError = 0.1;
  EXPECT_TRUE(averageOf(s, "step").isBound);
  EXPECT_TRUE(averageOf(s, "step").value.ends_with("+)"));
  s.equilibratedErrorKnown = true;
  EXPECT_FALSE(averageOf(s, "step").isBound);
  s.equilibratedErrorKnown = false, s.equilibratedError = 0;
  EXPECT_FALSE(averageOf(s, "step").isBound) << "no error is shown";
}

TEST(TimePlots, AnEstimatorBeginsWhereItHasMeasuredSomething) {
  const std::vector<double> none = {0.227, 0.227, 0.227}, late = {0.227, 0.227, 3, 0.227},
                            soon = {3, 0.227, 0.227};
  EXPECT_EQ(alikeAtFirst(none), 3u);
  EXPECT_EQ(alikeAtFirst(late), 2u);
  EXPECT_EQ(alikeAtFirst(soon), 0u);
  EXPECT_EQ(alikeAtFirst({}), 0u);
}

TEST(TimePlots, ASpikeBeyondTheAxisHasOneArrow) {
  const std::vector<double> y = {0.3, 0.31, 0.6, 2, 0.7, 0.3, 0.403, 0.3, -1};
  EXPECT_EQ(farBeyond(y, 0.2, 0.4), (std::vector<std::size_t>{3, 8}));
  EXPECT_TRUE(farBeyond(y, -1, 2).empty());
  const std::vector<double> apart = {3, std::nan(""), 4};
  EXPECT_EQ(farBeyond(apart, 0, 1), (std::vector<std::size_t>{0, 2}));
}

using Values = std::vector<double>;

// A part of an equation of state: one curve and one method beside it, the others far away.
class PartOfACurve : public testing::Test {
 protected:
  void SetUp() override {
    add("far below", {0.1, 0.2}, {1, 2}, SeriesKind::line);
    add("steep", {0.1, 0.9}, {1, 10.5}, SeriesKind::line);
    add("beside", {0.3, 0.31}, {3, 3.1}, SeriesKind::points);
    add("near", {0.71, 0.72}, {9.1, 9.2}, SeriesKind::points);
    add("this run", {0.705}, {9.15}, SeriesKind::points, false);
    plot.series.back().emphasis = true;
    plot.focus = {0.7, 0.73};
  }
  void add(const char* label, const Values& x, const Values& y, SeriesKind kind,
           bool published = true) {
    const Values &keptX = values.emplace_back(x), &keptY = values.emplace_back(y);
    PlotSeries s{label, keptX, keptY, {}};
    s.kind = kind;
    if (published) s.source = "A. Bee (2011)";
    plot.series.push_back(s);
  }
  std::deque<Values> values;  // spans of them stay valid
  Plot plot;
};

std::vector<int> foldRanksOf(const Plot& plot) {
  const std::vector<LegendItem> all = legendItems(plot, true);
  std::vector<int> ranks;
  for (std::size_t i = 0; i < all.size(); ++i) ranks.push_back(foldRank(all, i));
  return ranks;
}

TEST_F(PartOfACurve, NamesFirstWhatIsInSight) {
  std::vector<std::string> labels;
  for (const LegendItem& one : legendItems(plot, true)) labels.push_back(one.series);
  EXPECT_EQ(labels, (std::vector<std::string>{"this run", "steep", "near", "far below", "beside"}));
}

TEST_F(PartOfACurve, NamesFirstTheMethodOfMostPoints) {
  add("ECMC, N = 64", {0.71}, {9.1}, SeriesKind::points);
  add("MPMC, N = 64", {0.71, 0.72}, {9.1, 9.2}, SeriesKind::points);
  const std::vector<LegendItem> all = legendItems(plot, true);
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[3].series, "MPMC, N = 64");
  EXPECT_EQ(all[4].series, "ECMC, N = 64");
  EXPECT_EQ(all[4].label, "ECMC, N = 64 (A. Bee (2011))");
  add("ECMC, N = 128", {0.71, 0.72}, {9.1, 9.2}, SeriesKind::points);
  const std::vector<LegendItem> grouped = legendItems(plot, true);
  EXPECT_EQ(grouped[3].label, "ECMC, N = 64");
  EXPECT_EQ(grouped[4].label, "128");
}

TEST_F(PartOfACurve, KeepsPublishedEntriesInSightWhereItIsFolded) {
  EXPECT_EQ(foldRanksOf(plot), (std::vector<int>{0, 1, 1, 2, 2}));
  plot.focus = {};
  for (const LegendItem& one : legendItems(plot, true)) EXPECT_TRUE(one.inSight) << one.label;
}

// Levels and the marks of a race are published as well.
TEST(PlotLegend, KeepsBarsAndAllThatIsPublishedWhereItIsFolded) {
  const Values x = {0, 1}, y = {1, 2};
  Plot plot;
  for (const char* label : {"one list build", "one force pass"}) {
    plot.series.push_back({label, x, y, {}});
    plot.series.back().kind = SeriesKind::bars;
  }
  plot.series.push_back({"by the published ratio", x, y, {}});
  plot.series.back().kind = SeriesKind::points, plot.series.back().hollow = true;
  plot.series.back().source = "A. Bee (2011)";
  plot.references = {{"exact: C. Dee (2012)", 1, 0, 0}};
  plot.series.push_back({"dilute box", x, y, {}});
  plot.series.back().kind = SeriesKind::points;
  plot.series.push_back({"Pressure, samples", x, y, {}});
  EXPECT_EQ(foldRanksOf(plot), (std::vector<int>{0, 0, 1, 1, 2, 1}));
}

}  // namespace
}  // namespace cellscope::gui
