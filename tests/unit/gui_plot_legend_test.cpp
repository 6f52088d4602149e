// What the legend of a plot names first.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "app/gui/plot_frame.h"

namespace cellscope::gui {
namespace {

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
    plot.focusX0 = 0.7, plot.focusX1 = 0.73;
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
  plot.focusX0 = 1, plot.focusX1 = 0;
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
