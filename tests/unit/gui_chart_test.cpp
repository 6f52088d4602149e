// Charts without a window: logarithmic axes, rows of bars, histograms, and what is saved of them.
#include <gtest/gtest.h>

#include "app/gui/plot.h"
#include "render/printed.h"

namespace cellscope::gui {

using render::makeLogTicks, render::Ticks;
namespace {

constexpr AxisScale kLog = AxisScale::logarithmic;

std::vector<std::string> labelled(const Ticks& ticks) {
  std::vector<std::string> all;
  for (const std::string& label : ticks.label)
    if (!label.empty()) all.push_back(label);
  return all;
}

using Labels = std::vector<std::string>;

TEST(LogTicks, StandAtDecadesWithMinorOnesAtTwoAndFive) {
  const Ticks t = makeLogTicks(-2, 2, 6);
  EXPECT_EQ(labelled(t), (Labels{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(t.at.size(), 13u);
  EXPECT_NEAR(t.at[1], std::log10(0.02), 1e-12);
  EXPECT_EQ(t.label[1], "");
}

TEST(LogTicks, AreLabelledAtOneTwoAndFiveWhereThereIsRoom) {
  EXPECT_EQ(labelled(makeLogTicks(-0.5, 1.4, 8)), (Labels{"0.5", "1", "2", "5", "10", "20"}));
  EXPECT_EQ(labelled(makeLogTicks(-0.5, 1.4, 4)), (Labels{"1", "10"}));
}

TEST(LogTicks, AreThoseOfALinearAxisInAShortRange) {
  const Ticks t = makeLogTicks(std::log10(2.1), std::log10(4.4), 5);
  EXPECT_EQ(labelled(t), (Labels{"2.5", "3.0", "3.5", "4.0"}));
  for (std::size_t i = 0; i < t.at.size(); ++i)
    EXPECT_NEAR(std::pow(10, t.at[i]), std::stod(t.label[i]), 1e-12);
}

TEST(LogTicks, LeaveOutDecadesInALongRange) {
  EXPECT_EQ(labelled(makeLogTicks(-7.2, 7.9, 4)), (Labels{"1e-5", "1", "1e5"}));
  for (double hi : {3.0, 11.0, 48.0, 300.0})
    EXPECT_LE(labelled(makeLogTicks(0.1, hi, 5)).size(), 5u) << hi;
  EXPECT_TRUE(makeLogTicks(2, 2, 5).at.empty());
  EXPECT_TRUE(makeLogTicks(std::nan(""), 2, 5).at.empty());
}

struct Ranges {
  double x0, x1, y0, y1;
};
Ranges rangesOf(const Plot& plot) {
  const AxisRange x = fitX(plot), y = fitY(plot, x);
  return {x.lo, x.hi, y.lo, y.hi};
}

// Series are views of values, which are kept as long as the tests run.
std::span<const double> kept(const std::vector<double>& values) {
  static std::deque<std::vector<double>> all;
  return all.emplace_back(values);
}

Plot plotOf(const std::vector<double>& x, const std::vector<double>& y,
            const std::vector<double>& error, SeriesKind kind) {
  Plot plot;
  PlotSeries s{"s", kept(x), kept(y), kept(error)};
  s.kind = kind;
  plot.series = {s};
  return plot;
}

TEST(LinearAxis, ZerosStandOnItAndCountsHaveWholeNumbers) {
  const std::vector<double> zeros = {0, 0, 0}, same = {7, 7, 7}, few = {1, 2, 3};
  const auto shown = [&](const std::vector<double>& y, bool whole) {
    Plot plot = plotOf({0, 1, 2}, y, {}, SeriesKind::line);
    plot.y.whole = whole;
    const Ranges r = rangesOf(plot);
    EXPECT_GE(r.y0, 0);
    const auto ticks = labelled(render::makeTicks(r.y0, r.y1, 6, whole));
    return whole ? ticks : Labels{ticks.front()};
  };
  EXPECT_EQ(shown(zeros, true), (Labels{"0", "1"}));
  EXPECT_EQ(shown(zeros, false).front(), "0");
  EXPECT_EQ(shown(same, true), (Labels{"6", "7", "8"}));
  EXPECT_EQ(shown(few, true), (Labels{"1", "2", "3"}));
}

TEST(LogAxis, ShowsPositiveValuesAndCountsTheOthers) {
  Plot plot = plotOf({0, 1, 10, 100, 1000}, {5, 1e-3, -1, 0.1, 0}, {}, SeriesKind::line);
  EXPECT_EQ(countNotShown(plot), 0u);
  plot.y.scale = kLog;
  EXPECT_EQ(countNotShown(plot), 2u);
  plot.x.scale = kLog;
  EXPECT_EQ(countNotShown(plot), 3u);
  const Ranges r = rangesOf(plot);
  EXPECT_EQ(r.x0, 0);
  EXPECT_EQ(r.x1, 3);
  EXPECT_LT(r.y0, -3);
  EXPECT_GT(r.y0, -3.5);
  EXPECT_GT(r.y1, -1);
  const OnAxes on(plot.series[0], kLog, kLog);
  ASSERT_EQ(on.size(), 2u);
  EXPECT_EQ(on.index(0), 1u);
  EXPECT_EQ(on.index(1), 3u);
  EXPECT_NEAR(on.y()[1], -1, 1e-12);
  plot.references = {{"published", 0, 0, 0}};
  EXPECT_EQ(countNotShown(plot), 4u);
}

TEST(LogAxis, AnErrorThatReachesZeroEndsAtTheLowerEdge) {
  const Plot plot = plotOf({1}, {10}, {10}, SeriesKind::points);
  const OnAxes on(plot.series[0], AxisScale::linear, kLog);
  EXPECT_NEAR(on.high(0), std::log10(20), 1e-12);
  EXPECT_EQ(on.low(0), -std::numeric_limits<double>::infinity());
  PlotFrame frame{.hi = ImVec2(100, 100)};
  EXPECT_GT(frame.py(on.low(0)), 100);  // finite, below the frame
  EXPECT_TRUE(std::isfinite(frame.py(on.low(0))));
}

TEST(LogAxis, AValueStandsWhereItsLogarithmDoes) {
  PlotFrame frame{.hi = ImVec2(300, 100), .x = {toAxis(kLog, 0.1), toAxis(kLog, 100)}};
  EXPECT_NEAR(frame.px(toAxis(kLog, 1)), 100, 1e-3);
  EXPECT_NEAR(fromAxis(kLog, frame.xAt(200)), 10, 1e-9);
}

TEST(TimePlots, APublishedValueIsInSightOfSamplesThatAreAllEqual) {
  Plot plot = plotOf({1, 2, 3}, {0.227, 0.227, 0.227}, {}, SeriesKind::line);
  plot.integerX = true;
  plot.references = {{"exact", 0.3134, 0, 0}};
  const Ranges r = rangesOf(plot);
  EXPECT_LT(r.y0, 0.227);
  EXPECT_GT(r.y1, 0.3134);
}

TEST(TimePlots, TheFirstSampleIsSeenWithinTheAxis) {
  Plot plot = plotOf({100}, {10.5}, {}, SeriesKind::line);
  plot.integerX = true;
  EXPECT_EQ(rangesOf(plot).x0, 0);
  EXPECT_GT(rangesOf(plot).x1, 105);
  Plot two = plotOf({100, 200}, {10.5, 10}, {}, SeriesKind::line);
  two.integerX = true;
  EXPECT_EQ(rangesOf(two).x0, 0);
  EXPECT_EQ(rangesOf(two).x1, 200);
  two.series[0].x = kept({0, 100, 200}), two.series[0].y = kept({1, 10.5, 10});
  EXPECT_GT(rangesOf(two).y0, 9) << "the state at step 0 does not set the axis";
}

TEST(TimePlots, RareSamplesLeaveTheRangeToTheOthers) {
  const std::vector<double> spikes = {0.3, -7, 49};
  Plot plot = plotOf({1, 2, 3}, {0.3, 0.32, 0.31}, {}, SeriesKind::line);
  plot.integerX = true;
  PlotSeries rare = plot.series[0];
  rare.rare = std::make_shared<const std::vector<double>>(spikes);
  rare.y = *rare.rare;
  plot.series.push_back(rare);
  const Ranges r = rangesOf(plot);
  EXPECT_GT(r.y0, 0.25);
  EXPECT_LT(r.y1, 0.35);
}

// Beyond that the legend's entry is at an arrow, and the values keep the axis.
TEST(Fit, AGoalIsInSightOnTheWayToIt) {
  Plot plot = plotOf({1, 2, 3}, {0.6025, 0.605, 0.6035}, {}, SeriesKind::line);
  plot.integerX = true;
  plot.references = {{"published", 0.674, 0, 0}};
  EXPECT_LT(rangesOf(plot).y1, 0.61) << "28 lengths away, in equilibrium";
  plot.equilibrated = false;
  EXPECT_GT(rangesOf(plot).y1, 0.674);
  plot.references[0].value = 0.9;
  EXPECT_LT(rangesOf(plot).y1, 0.61);
}

// The flat part of an equation of state, beside lines that rise far above it.
TEST(Fit, ManyPointsInAPartOfXLeaveLinesOut) {
  Plot plot = plotOf({0.70, 0.702, 0.704, 0.706, 0.708, 0.710, 0.712, 0.714},
                     {9.17, 9.19, 9.18, 9.19, 9.18, 9.18, 9.17, 9.17}, {}, SeriesKind::points);
  plot.series.push_back(plotOf({0.66, 0.69, 0.72}, {6, 8, 10}, {}, SeriesKind::line).series[0]);
  EXPECT_GT(rangesOf(plot).y1, 10);
  plot.focus = {0.65, 0.72};
  EXPECT_LT(rangesOf(plot).y1, 9.3);
  EXPECT_GT(rangesOf(plot).y0, 9.1);
}

// Of a rare vapour beside dense ones: it is read where its errors are like those of the others.
TEST(Fit, APointOfAnErrorFarLargerThanOfTheOthersDoesNotFlattenThem) {
  const std::vector<double> x = {0.7, 0.8, 0.9, 1, 1.1, 1.2}, y = {70, 5, -8, 2, -3, 1},
                            error = {120, 20, 9, 8, 6, 5}, alike(6, 20);
  Plot plot = plotOf(x, y, error, SeriesKind::points);
  EXPECT_LT(rangesOf(plot).y1, 30);
  EXPECT_LE(rangesOf(plot).y0, -17);
  plot.series[0].error = alike;
  EXPECT_GT(rangesOf(plot).y1, 90);
  plot = plotOf(x, y, error, SeriesKind::points);
  plot.series[0].x = plot.series[0].x.first(3);
  EXPECT_GT(rangesOf(plot).y1, 190) << "three tell nothing of what is usual";
}

TEST(Bars, StandOnZeroWithRoomForTheirNumbers) {
  const std::vector<double> x = {1, 2, 3};
  Ranges r = rangesOf(plotOf(x, {5, 7, 6}, {0, 1, 0}, SeriesKind::bars));
  EXPECT_EQ(r.y0, 0);
  EXPECT_GT(r.y1, 8.5);
  EXPECT_LE(r.x0, 0.5);  // the whole first bar
  EXPECT_GE(r.x1, 3.5);
  r = rangesOf(plotOf(x, {-5, -7, -6}, {}, SeriesKind::bars));
  EXPECT_LT(r.y0, -7);
  EXPECT_EQ(r.y1, 0);
  r = rangesOf(plotOf(x, {0, 0, 0}, {}, SeriesKind::bars));
  EXPECT_EQ(r.y0, 0);
  EXPECT_GT(r.y1, 0);
}

TEST(Bars, OnALogarithmicAxisTheSmallestIsSeenAsWell) {
  Plot plot = plotOf({1, 2}, {1e-3, 10}, {}, SeriesKind::bars);
  plot.y.scale = kLog;
  const Ranges r = rangesOf(plot);
  EXPECT_LT(r.y0, -3.15);
  EXPECT_GT(r.y1, 1);
}

TEST(Bars, ASlotIsTheLeastDistance) {
  const std::vector<double> x = {4, 1, 1.5, 3}, y = {1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(barSlot(plotOf(x, y, {}, SeriesKind::bars)), 0.5);
  EXPECT_GT(barSlot(plotOf({7}, y, {}, SeriesKind::bars)), 0);
  EXPECT_EQ(barSlot(plotOf(x, y, {}, SeriesKind::line)), 0);
}

TEST(Bars, AllButTheHighlightedStepBack) {
  PlotSeries s{.colour = IM_COL32(10, 20, 30, 255)};
  const ImU32 plain = barColour(s, 0);
  s.highlight = 1;
  EXPECT_EQ(barColour(s, 1), plain);
  EXPECT_LT(barColour(s, 0) >> IM_COL32_A_SHIFT, plain >> IM_COL32_A_SHIFT);
}

TEST(Steps, ShowEveryBinFromZero) {
  Plot plot = plotOf({0, 1, 2, 5}, {3, 4, 2}, {}, SeriesKind::steps);
  Ranges r = rangesOf(plot);
  EXPECT_EQ(r.x0, 0);
  EXPECT_EQ(r.x1, 5);
  EXPECT_EQ(r.y0, 0);
  EXPECT_GT(r.y1, 4);
  plot.series[0].error = kept({9, 1, 0});
  r = rangesOf(plot);
  EXPECT_EQ(r.y0, 0);
  EXPECT_GT(r.y1, 12) << "3 and its error";
  plot.x.scale = kLog;  // the first bin is cut off at the left; no value is missing
  EXPECT_EQ(countNotShown(plot), 0u);
  r = rangesOf(plot);
  EXPECT_EQ(r.x0, 0);
}

TEST(Rows, TheLowerAxisHoldsTheValuesAndThePublishedOnes) {
  const std::vector<double> x = {0, 1, 2}, far = {9};
  Plot plot = plotOf(x, {1, 2, 3}, {}, SeriesKind::bars);
  plot.x = {"mapping", AxisScale::named, {"a", "b", "c"}};
  plot.y.label = "time";
  EXPECT_EQ(lowerAxis(plot).label, "time");
  PlotSeries ghost{"published", std::span(x).first(1), far, {}};
  ghost.kind = SeriesKind::points;
  ghost.hollow = true;
  plot.series.push_back(ghost);
  const Ranges r = rangesOf(plot);
  EXPECT_EQ(r.x0, 0);
  EXPECT_GT(r.x1, 9);
}

TEST(Rows, OnALogarithmicAxisBarsBeginAtTheDecadeBelowTheShortest) {
  Plot plot = plotOf({0, 1, 2}, {4e3, 5e4, 4e6}, {}, SeriesKind::bars);
  plot.x = {"method", AxisScale::named, {"a", "b", "c"}};
  plot.y.scale = kLog;
  Ranges r = rangesOf(plot);
  EXPECT_EQ(r.x0, 3);
  EXPECT_GT(r.x1, std::log10(4e6));
  EXPECT_LT(r.x1, 7);
  const std::vector<double> round = {1000, 5e4, 4e6};  // a bar has a length
  plot.series[0].y = round;
  EXPECT_EQ(rangesOf(plot).x0, 2);
}

TEST(Rows, ANumberHalfAsUncertainAsItIsLargeHasOneDigit) {
  Plot plot = plotOf({0, 1, 2}, {5.8, 12.3, 122}, {5.7, 3, 70}, SeriesKind::bars);
  plot.x = {"method", AxisScale::named, {"a", "b", "c"}};
  plot.y.scale = kLog;
  EXPECT_EQ(rowNumber(plot, plot.series[0], 0), "~6");
  EXPECT_EQ(rowNumber(plot, plot.series[0], 0, true), "6(6)");
  EXPECT_EQ(rowNumber(plot, plot.series[0], 1), "12(3)");
  EXPECT_EQ(rowNumber(plot, plot.series[0], 2), "~100");
  plot.series[0].y = kept({3e6, 4e6, 5e6}), plot.series[0].error = kept({1e5, 3e6, 1e5});
  EXPECT_EQ(rowNumber(plot, plot.series[0], 0), "3.00(10)e6");
  EXPECT_EQ(rowNumber(plot, plot.series[0], 1), "~4e6");
}

TEST(Rows, ShareTheHeightThatTheyAreGiven) {
  const RowsLayout l = layoutRows(300, 50, 40, 2, 13), high = l.stretched(1.5f * l.row);
  EXPECT_FLOAT_EQ(high.row, 1.5f * l.row);
  EXPECT_FLOAT_EQ(high.bar, 1.5f * l.bar);
  EXPECT_FLOAT_EQ(l.stretched(9 * l.row).bar, 2 * l.bar);
  EXPECT_FLOAT_EQ(0.5f * (high.middle(1, 0) + high.middle(1, 1)), 1.5f * high.row);
}

TEST(TimePlots, NearlyAllSamplesOfAFluctuatingSeriesAreInSight) {
  std::vector<double> x, y;
  for (int k = 0; k < 2000; ++k) {
    x.push_back(k);
    y.push_back(k < 100 ? 5000 - 50 * k : 95 + 75 * std::sin(0.7 * k));
  }
  Plot plot = plotOf(x, y, {}, SeriesKind::line);
  plot.integerX = true;
  plot.series[0].opacity = 0.4f;
  plot.dimBefore = 128;
  Ranges r = rangesOf(plot);
  EXPECT_LT(r.y0, 25);
  EXPECT_GT(r.y1, 165);
  EXPECT_LT(r.y1, 4500) << "the beginning was far away";
  plot.equilibrated = false;
  EXPECT_GE(rangesOf(plot).y0, r.y0);
}

TEST(Rows, NothingOverlaps) {
  for (float width : {160.f, 300.f, 800.f}) {
    for (float name : {20.f, 120.f, 900.f}) {
      for (std::size_t series : {1u, 2u, 5u}) {
        const RowsLayout l = layoutRows(width, name, 60, series, 13);
        EXPECT_GE(width - l.names - l.numbers, 0.29f * width);
        EXPECT_GE(l.bar, 13);  // the number of a bar has room
        for (std::size_t row = 0; row < 3; ++row) {
          EXPECT_GE(l.middle(row, 0) - l.bar / 2, l.row * static_cast<float>(row));
          for (std::size_t k = 1; k < series; ++k)
            EXPECT_GE(l.middle(row, k) - l.middle(row, k - 1), l.bar - 0.01f);
          EXPECT_LE(l.middle(row, series - 1) + l.bar / 2,
                    l.row * static_cast<float>(row + 1) + 0.01f);
        }
      }
    }
  }
  RowsLayout l = layoutRows(300, 50, 40, 1, 13);
  EXPECT_GT(l.names, 50);
  EXPECT_GT(l.numbers, 40);
  l.row *= 2;  // for a name of two lines: the bar stays beside its middle
  EXPECT_FLOAT_EQ(l.middle(3, 0), 3.5f * l.row);
}

std::string saved(const Plot& plot) {
  const std::string path = testing::TempDir() + "chart.csv";
  writePlotCsv(path, plot, {{"seed", "1"}});
  return io::readFile(path);
}

TEST(ChartCsv, WritesNamesAndTheEdgesOfBins) {
  const std::vector<double> y = {1.5, 2}, error = {0.1, 0.2};
  Plot rows = plotOf({0, 1}, y, error, SeriesKind::bars);
  rows.x = {"mapping", AxisScale::named, {"one, alone", "tiles"}};
  rows.y.label = "time (ms)";
  EXPECT_EQ(saved(rows),
            "# seed: 1\n\"series\",\"mapping\",\"time (ms)\",\"spread\"\n"
            "\"s\",\"one, alone\",1.5,0.1\n\"s\",\"tiles\",2,0.2\n");
  Plot steps = plotOf({0, 1, 4}, y, {}, SeriesKind::steps);
  steps.x.label = "n";
  steps.references = {{"published", 3, 0.5, 0}};
  EXPECT_EQ(saved(steps),
            "# seed: 1\n\"series\",\"n\",\"\",\"standard error\",\"n, upper edge\"\n"
            "\"s\",0,1.5,,1\n\"s\",1,2,,4\n\"published\",,3,0.5,\n");
}

}  // namespace
}  // namespace cellscope::gui
