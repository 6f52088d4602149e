// Where legend, card and plots of the window stand, and how they move: without a window.
#include <gtest/gtest.h>

#include "app/gui/plot.h"
#include "app/gui/viewport.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::gui {
namespace {

bool overlap(ImVec2 a, ImVec2 sizeA, ImVec2 b, ImVec2 sizeB) {
  return a.x < b.x + sizeB.x && b.x < a.x + sizeA.x && a.y < b.y + sizeB.y && b.y < a.y + sizeA.y;
}

TEST(LegendLayout, PartsStandSideBySideThenOnLowOnesThenInANewStrip) {
  const LegendLimits limits{100, 60, 10, 4, 2};
  const LegendLayout l =
      packLegend({{40, 60}, {50, 20}, {30, 30}, {20, 10}, {90, 40}, {95, 20}}, limits);
  EXPECT_EQ(l.hidden, 1u);
  EXPECT_FALSE(l.isShown[5]);
  EXPECT_FLOAT_EQ(l.at[1].x, 50);
  EXPECT_FLOAT_EQ(l.at[2].x, 50);  // below the second
  EXPECT_FLOAT_EQ(l.at[2].y, 24);
  EXPECT_FLOAT_EQ(l.at[3].y, 64);  // second strip
  EXPECT_FLOAT_EQ(l.at[4].x, 0);   // below the fourth
  EXPECT_FLOAT_EQ(l.at[4].y, 78);
  EXPECT_FLOAT_EQ(l.size.x, 100);
  EXPECT_FLOAT_EQ(l.size.y, 118);
}

TEST(LegendLayout, NothingOverlapsOrLeavesTheBlock) {
  std::vector<ImVec2> parts;
  for (int i = 0; i < 12; ++i)
    parts.emplace_back(20 + 13.f * static_cast<float>(i * 7 % 11),
                       10 + 9.f * static_cast<float>(i * 5 % 6));
  for (float width : {160.f, 240.f, 600.f}) {
    const LegendLimits limits{width, 60, 8, 4, 100};
    const LegendLayout l = packLegend(parts, limits);
    EXPECT_EQ(l.hidden, 0u);
    EXPECT_LE(l.size.x, width);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_LE(l.at[i].x + parts[i].x, l.size.x + 0.01f);
      EXPECT_LE(l.at[i].y + parts[i].y, l.size.y + 0.01f);
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(overlap(l.at[i], parts[i], l.at[k], parts[k])) << i << " " << k;
    }
  }
}

TEST(LegendLayout, FewShortEntriesStandInOneRowManyInThree) {
  EXPECT_EQ(legendRows({20, 20, 20, 20}, 10, 120), 1u);
  EXPECT_EQ(legendRows({50, 50, 50, 50}, 10, 120), 2u);
  EXPECT_EQ(legendRows({50, 50}, 10, 80), 2u);
  EXPECT_EQ(legendRows(std::vector<float>(8, 50), 10, 100), 3u);
  EXPECT_EQ(legendRows(std::vector<float>(12, 50), 10, 100), 3u);
  EXPECT_EQ(columnWidths({10, 30, 20, 5}, 3), (std::vector<float>{30, 5}));
}

TEST(CardPlace, TheCardNeverLiesOverItsSubject) {
  const ImVec2 lo(100, 50), hi(700, 550), size(250, 200);
  Corner corner = Corner::upperRight;
  for (float x = 100; x <= 700; x += 7) {
    for (float y = 50; y <= 550; y += 7) {
      corner = freeCorner(corner, lo, hi, size, ImVec2(x, y), 24);
      const ImVec2 at = placeIn(corner, lo, hi, size);
      EXPECT_FALSE(overlap(at, size, ImVec2(x - 20, y - 20), ImVec2(40, 40))) << x << " " << y;
    }
  }
}

TEST(CardPlace, TheCardStaysWhereItIsWhileThatIsFree) {
  const ImVec2 lo(0, 0), hi(600, 500), size(250, 200), free(300, 400);
  EXPECT_EQ(freeCorner(Corner::upperLeft, lo, hi, size, free, 24), Corner::upperLeft);
  EXPECT_EQ(freeCorner(Corner::upperRight, lo, hi, size, free, 24), Corner::upperRight);
  EXPECT_EQ(freeCorner(Corner::upperLeft, lo, hi, size, ImVec2(100, 100), 24), Corner::upperRight);
}

TEST(EventFade, FlashesThenFallsEvenlyToATraceWithin300Milliseconds) {
  EventFade fade;
  EXPECT_FLOAT_EQ(fade.opacity(7, 2, 10.0, true), 1);
  EXPECT_NEAR(fade.opacity(7, 2, 10.1, true), 1 - 0.7 / 3, 1e-6);
  EXPECT_NEAR(fade.opacity(7, 2, 10.15, true), 0.65, 1e-6);
  EXPECT_GT(fade.opacity(7, 2, 10.299, true), kFadeTrace);
  EXPECT_FLOAT_EQ(fade.opacity(7, 2, 10.3, true), kFadeTrace);
  EXPECT_FLOAT_EQ(fade.opacity(7, 2, 1e6, true), kFadeTrace);
}

TEST(EventFade, EveryStepAndEveryPhaseFlashesAnew) {
  EventFade fade;
  fade.opacity(7, 2, 10, true);
  EXPECT_FLOAT_EQ(fade.opacity(7, 3, 10.2, true), 1);
  EXPECT_NEAR(fade.opacity(7, 3, 10.35, true), 0.65, 1e-6);
  EXPECT_FLOAT_EQ(fade.opacity(8, 3, 11, true), 1);
  EXPECT_FLOAT_EQ(fade.opacity(6, 3, 11.1, true), 1);  // after an undo
}

TEST(EventFade, MarksStayWhileTheRunRests) {
  EventFade fade;
  EXPECT_FLOAT_EQ(fade.opacity(7, 2, 10, true), 1);
  EXPECT_FLOAT_EQ(fade.opacity(7, 2, 20, true), kFadeTrace);
  EXPECT_FLOAT_EQ(fade.opacity(7, 2, 21, false), 1);
  EXPECT_FLOAT_EQ(fade.opacity(7, 3, 30, false), 1);
}

// What the frames see of one button, and where.
std::string framesOf(MouseQueue& queue, int frames) {
  std::string seen;
  for (int i = 0; i < frames; ++i) {
    const MouseQueue::Seen s = queue.next();
    seen += s.down[0] ? 'D' : 'u';
    if (s.at) seen += std::to_string(static_cast<int>(s.at->x));
    seen += ' ';
  }
  return seen;
}

TEST(MouseQueue, ADoubleClickBetweenTwoFramesIsSeenWhole) {
  MouseQueue queue;
  for (bool down : {true, false, true, false}) queue.add(0, down, ImVec2(7, 0));
  EXPECT_EQ(framesOf(queue, 5), "D7 u7 D7 u7 u ");
}

TEST(MouseQueue, AClickIsSeenWhereItHappened) {
  MouseQueue queue;
  queue.add(0, true, ImVec2(1, 0));
  EXPECT_EQ(framesOf(queue, 2), "D1 D ");
  queue.add(0, false, ImVec2(2, 0));
  queue.add(0, true, ImVec2(3, 0));
  queue.add(1, true, ImVec2(4, 0));
  EXPECT_EQ(framesOf(queue, 1), "u2 ");
  const MouseQueue::Seen both = queue.next();  // different buttons do not wait for each other
  EXPECT_TRUE(both.down[0] && both.down[1]);
  EXPECT_FALSE(both.down[2]);
  queue.add(9, true, ImVec2(5, 0));  // no such button
  EXPECT_EQ(framesOf(queue, 1), "D ");
}

TEST(AxisRange, ShowsTheFirstRangeAtOnceAndLaterOnesSmoothly) {
  AxisRange range;
  range.follow({2, 8}, 0);
  EXPECT_EQ(range.lo, 2);
  EXPECT_EQ(range.hi, 8);
  double last = range.hi;
  for (int frame = 0; frame < 40; ++frame) {
    range.follow({2, 12}, 1.0 / 60);
    EXPECT_GE(range.hi, last);
    EXPECT_LT(range.hi - last, 0.2 * (12 - 8));
    last = range.hi;
  }
  EXPECT_EQ(range.lo, 2);
  EXPECT_EQ(range.hi, 12);  // reached, exactly
}

// A published curve, and perhaps points of our own.
Curve equationOfState(std::vector<double> ownX = {}, std::vector<double> ownY = {}) {
  Curve c{"eos", "Equation of state", {"packing fraction"}, {"P*"}, ""};
  CurveSeries published{"published", "somebody", {}, {}, {}, SeriesKind::line, true};
  for (int i = 0; i <= 80; ++i) {
    published.x.push_back(0.01 * i);
    published.y.push_back(1 / (1 - 0.01 * i));
  }
  c.series = {published};
  if (!ownX.empty()) {
    const std::vector<double> error(ownX.size(), 5);
    c.series.push_back(
        {"this run", "", std::move(ownX), std::move(ownY), error, SeriesKind::points});
  }
  return c;
}

struct Range {
  double x0, x1, y0, y1;
  friend bool operator==(const Range&, const Range&) = default;
};
Range axesOf(const Curve& c, AxisRange focus) {
  Plot plot;
  for (const CurveSeries& s : c.series) plot.series.push_back({s.label, s.x, s.y, s.error});
  plot.focus = withOwnPoints(focus, c);
  const AxisRange x = fitX(plot), y = fitY(plot, x);
  return {x.lo, x.hi, y.lo, y.hi};
}

TEST(AxisFocus, AxesStayWhenOurFirstPointAppears) {
  const AxisRange focus = focusOf(equationOfState(), 0.7);
  EXPECT_LT(focus.lo, 0.7);
  EXPECT_GT(focus.hi, 0.7);
  EXPECT_GT(focus.lo, 0.5);  // not the whole curve
  EXPECT_EQ(axesOf(equationOfState(), focus), axesOf(equationOfState({0.7}, {3.4}), focus));
}

TEST(AxisFocus, AxesGrowForAPointOutside) {
  const AxisRange focus = focusOf(equationOfState(), 0.7);
  const Range before = axesOf(equationOfState(), focus);
  const Range far = axesOf(equationOfState({0.7, 0.2}, {3.4, 1.2}), focus);
  EXPECT_LT(far.x0, 0.2);
  EXPECT_EQ(far.x1, before.x1);
  EXPECT_GT(axesOf(equationOfState({0.7}, {9}), focus).y1, 9);
}

TEST(AxisFocus, TheWholeCurveWhereThePlaceIsNotKnown) {
  const AxisRange focus = focusOf(equationOfState(), std::nullopt);
  EXPECT_EQ(focus.lo, 0);
  EXPECT_GE(focus.hi, 0.8);
  const Curve unpublished{"g", "", {}, {}, "", {{"ours", "", {1, 2}, {3, 4}}}};
  EXPECT_GT(focusOf(unpublished, 1.0).lo, focusOf(unpublished, 1.0).hi);
}

// As of replicas, which have an x each and no parameter on the axis.
TEST(AxisFocus, OurOwnPointsWhereThePlaceIsNotKnown) {
  const Range r = axesOf(equationOfState({0.2, 0.4, 0.6}, {1.2, 1.6, 2.5}),
                         focusOf(equationOfState({0.2, 0.4, 0.6}, {1.2, 1.6, 2.5}), std::nullopt));
  EXPECT_NEAR(r.x0, 0.16, 1e-9);
  EXPECT_NEAR(r.x1, 0.64, 1e-9);
  // One point: three tenths of what is published about it.
  const AxisRange one = focusOf(equationOfState({0.4}, {1.6}), std::nullopt);
  EXPECT_NEAR(one.lo, 0.28, 1e-9);
  EXPECT_NEAR(one.hi, 0.52, 1e-9);
}

// As the published plateau of a heating curve, far from where the curve begins.
TEST(AxisFocus, APublishedMarkStaysInSight) {
  CurveSeries mark{"boiling", "NIST", {-3, 2}, {1, 1}};
  const Curve begins{"h", "", {}, {}, "", {{"ours", "", {-7.4, -7}, {0.4, 0.5}}, mark}};
  const AxisRange focus = focusOf(begins, std::nullopt);
  EXPECT_LT(focus.lo, -7.4);
  EXPECT_GT(focus.hi, 2);
}

// Single values and their running mean, as a time plot draws them.
struct TimeSeries {
  std::vector<double> step, value, mean;

  template <class F>
  TimeSeries(int n, const F& valueAt) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      step.push_back(k);
      value.push_back(valueAt(k));
      mean.push_back((sum += value.back()) / (k + 1));
    }
  }
  Range range(std::vector<PlotReference> references, bool everything = false) const {
    Plot plot{.integerX = true};
    PlotSeries faint{"value", step, value, {}}, line{"mean", step, mean, {}};
    faint.opacity = 0.4f;
    plot.series = {faint, line};
    plot.references = std::move(references);
    const AxisRange x = fitX(plot), y = fitY(plot, x, everything);
    return {x.lo, x.hi, y.lo, y.hi};
  }
};

TEST(TimeAxis, ScatterDoesNotHideHowNearTheMeanIsToWhatWasPublished) {
  const TimeSeries s(1000, [](int k) { return 0.3 + (k % 7 == 3) * ((k % 2) ? 5 : -5); });
  const Range r = s.range({{"exact", 0.31, 0, 0}});
  EXPECT_LT(r.y1 - r.y0, 2);
  EXPECT_LT(r.y0, 0.3);
  EXPECT_GT(r.y1, 0.31);
  const Range all = s.range({}, true);
  EXPECT_LT(all.y0, -4.7);
  EXPECT_GT(all.y1, 5.3);
}

TEST(TimeAxis, ATrendIsShownFromEndToEnd) {
  const Range r = TimeSeries(1000, [](int k) { return 1e-3 * k; }).range({});
  EXPECT_LT(r.y0, 0.05);
  EXPECT_GT(r.y1, 0.95);
}

TEST(TimeAxis, AShortSeriesIsShownWhole) {
  EXPECT_GT(TimeSeries(40, [](int k) { return k == 5 ? 9.0 : 1.0; }).range({}).y1, 9);
}

TEST(TimeAxis, APublishedValueAloneLeavesRoomForWhatIsMeasured) {
  Plot plot{.references = {{"exact", 0.75, 0.0005, 0}}, .integerX = true};
  const AxisRange near = fitY(plot, {0, 1});
  EXPECT_LT(near.lo, 0.68);
  EXPECT_GT(near.hi, 0.82);
  // A wide error is seen, and does not make the axis several times as long.
  plot.references = {{"exact", 0, 1, 0}};
  const AxisRange wide = fitY(plot, {0, 1});
  EXPECT_LT(wide.lo, -1);
  EXPECT_GT(wide.lo, -2);
}

std::vector<std::string> labelsOf(const Plot& plot, bool brief) {
  std::vector<std::string> labels;
  for (const LegendItem& one : legendItems(plot, brief)) labels.push_back(one.label);
  return labels;
}

std::vector<std::string> briefly(const std::vector<std::string>& observables) {
  Plot plot;
  for (const std::string& name : observables) {
    plot.series.push_back({name + ", mean"});
    plot.series.push_back({name + ", samples"});
  }
  return labelsOf(plot, true);
}

// A folded legend has room for what tells the lines apart.
TEST(PlotLegend, NamesObservablesByWhatTellsThemApart) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(briefly({"Pressure"}), (Words{"mean", "samples"}));
  EXPECT_EQ(briefly({"Kinetic energy per particle", "Potential energy per particle"}),
            (Words{"Kinetic", "Potential"}));
  EXPECT_EQ(briefly({"Density of the denser box", "Density of the dilute box"}),
            (Words{"denser", "dilute"}));
  EXPECT_EQ(briefly({"Global order", "Mean local order"}), (Words{"Global", "Mean local"}));
  EXPECT_EQ(briefly({"Mean order", "Mean local order"}), (Words{"order", "local order"}));
}

TEST(PlotLegend, SourcesAreShortenedToNamesAndYear) {
  const std::pair<const char*, const char*> sources[] = {
      {"E. P. Bernard and W. Krauth, Phys. Rev. Lett. 107, 155704 (2011)",
       "Bernard and Krauth 2011"},
      {"J. A. Anderson et al., J. Comput. Phys. 254, 27 (2013), Table 1", "Anderson et al. 2013"},
      {"A. Bee, C. D. Elk and E. Fox, J. Chem. Phys. 34, 1037 (1961)", "Bee et al. 1961"},
      {"D. Henderson, Mol. Phys. 30, 971 (1975)", "Henderson 1975"},
      {"approximant of the series to B10 (Clisby and McCoy 2006)", "Clisby and McCoy 2006"},
      {"Carnahan and Starling, J. Chem. Phys. 51, 635 (1969)", "Carnahan and Starling 1969"},
      {"Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016), less the tail",
       "Thol et al. 2016"},
      {"J. A. van Meel et al., J. Comput. Chem. 29, 1 (2008)", "van Meel et al. 2008"},
      {"NIST Standard Reference Simulation, SAT-TMMC", "NIST"}};
  for (const auto& [source, name] : sources) EXPECT_EQ(shortSource(source), name);
  for (const char* whole :
       {"Published values, by simulation (2011)", "independent serial MD (unpublished)"})
    EXPECT_EQ(shortSource(whole), whole);
}

// Everything published that a plot shows has its source in the legend, however many series.
TEST(PlotLegend, NamesTheSourceOfEverySeries) {
  const std::vector<CurveSeries> published = hardDiskEquationOfState();
  Plot plot;
  for (const CurveSeries& s : published) {
    plot.series.push_back({s.label, s.x, s.y, s.error});
    plot.series.back().kind = s.kind, plot.series.back().source = s.source;
  }
  plot.series.push_back({"this run"});
  ASSERT_GT(plot.series.size(), 6u);
  std::string legend;
  for (const std::string& label : labelsOf(plot, false)) legend += label + "\n";
  for (const CurveSeries& s : published) {
    std::string name = shortSource(s.source);
    EXPECT_LT(name.size(), 30u) << name;
    if (name.starts_with(s.label)) name = s.label + " (" + name.substr(s.label.size() + 1) + ")";
    EXPECT_NE(legend.find(name), std::string::npos) << name << " in\n" << legend;
  }
  EXPECT_NE(legend.find("this run\n"), std::string::npos) << legend;
  // Sizes of one method and one source name both once.
  EXPECT_NE(legend.find("ECMC, N = 256^2\n"), std::string::npos) << legend;
  EXPECT_NE(legend.find("\n1024^2 (Bernard and Krauth 2011)\n"), std::string::npos) << legend;
}

// What is too long for a folded legend goes without its source, or what follows a colon.
TEST(PlotLegend, FoldedEntriesHaveAShortForm) {
  Plot plot;
  plot.series.push_back({"K40c, by speed-up: published for it, times the speeds here"});
  plot.series[0].source = "Schwiebert et al., section 4, text on Figures 6 and 7";
  plot.references = {
      {"exact, N = 4: cluster integrals of four disks in a periodic box", 1, 0, 0},
      {"MPMC, N = 256^2: M. Engel et al., Phys. Rev. E 87, 042134 (2013)", 1, 0.2, 0}};
  EXPECT_EQ(labelsOf(plot, true),
            (std::vector<std::string>{"K40c, by speed-up", "exact, N = 4: 1",
                                      "MPMC, N = 256^2 (Engel et al. 2013): 1.0(2)"}));
  EXPECT_NE(labelsOf(plot, false)[0].find("Figures 6 and 7"), std::string::npos);
  EXPECT_EQ(labelsOf(plot, false)[1], plot.references[0].label + ": 1");
}

}  // namespace
}  // namespace cellscope::gui
