// A sweep as the window shows it: states of its points, and which of them are where in the chart.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/common/settings.h"
#include "app/sweep/overview.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct SweepOverview : test::Program {
  void SetUp() override {
    Program::SetUp();
    dir_ = file("a sweep");
    create({"packing=0.2,0.1", "seed=1..2"});
  }
  void create(const std::vector<std::string>& vary) {
    std::filesystem::remove_all(dir_);
    sweep::createSweep({dir_, common::openScenario("four_disks"), {}, vary, 100});
    all_ = sweep::look(dir_, nullptr);
  }
  // What a worker writes when a point is done.
  void finish(std::size_t k, double pressure, bool equilibrated, const char* error = "0.25") {
    std::ofstream(all_->points[k].point.result())
        << R"({"step": 100, "averages": {"pressure": {"mean": )" << pressure << R"(, "error": )"
        << error << R"(, "equilibrated": )" << (equilibrated ? "true" : "false")
        << R"(}, "time": {"last": 3, "error": null, "equilibrated": true}}})";
  }
  void look() { all_ = sweep::look(dir_, all_.get()); }

  std::string dir_;
  std::shared_ptr<const sweep::Overview> all_;
};

TEST_F(SweepOverview, HasThePointsInTheOrderOfTheValuesWithTheirStates) {
  ASSERT_EQ(all_->points.size(), 4u);
  EXPECT_EQ(sweep::wordsOf(*all_, all_->points[0]), "packing 0.1, seed 1");
  EXPECT_EQ(sweep::wordsOf(*all_, all_->points[3]), "packing 0.2, seed 2");
  EXPECT_EQ(sweep::countsOf(*all_), "4 not begun");
  finish(0, 1.5, true);
  std::ofstream(all_->points[1].point.error()) << "too dense\n";
  std::ofstream(all_->points[2].point.checkpoint()) << "x";
  const io::FolderLock worker(all_->points[3].point.folder.string());
  look();
  EXPECT_EQ(sweep::countsOf(*all_), "1 done, 1 resumable, 1 running, 1 failed");
  EXPECT_EQ(all_->points[0].step, 100u);
  EXPECT_EQ(all_->points[1].message, "too dense\n");
  EXPECT_THAT(all_->observables, ElementsAre("pressure", "time"));
  // A point that is done is not read again.
  std::ofstream(all_->points[0].point.result()) << "{";
  look();
  EXPECT_EQ(all_->points[0].averages.at("pressure").value, 1.5);
  EXPECT_THROW(sweep::look(dir_, nullptr), InputError);
}

TEST_F(SweepOverview, ChartsSeriesWithErrorsAndMarksWhatIsNotInEquilibrium) {
  EXPECT_THAT(sweep::chartOf(*all_, sweep::chooseAxes(*all_, {}), {}).series, IsEmpty());
  finish(0, 1.5, true), finish(1, 1.25, true, "null"), finish(2, 3.5, false);
  look();
  const sweep::SweepAxes axes = sweep::chooseAxes(*all_, {.y = "pressure"});
  EXPECT_EQ(axes, (sweep::SweepAxes{"packing", "", "pressure"})) << "seeds are no axis";
  const Curve one = sweep::chartOf(*all_, axes, {});
  EXPECT_EQ(one.x.label, "Packing fraction");
  ASSERT_EQ(one.series.size(), 2u);
  EXPECT_THAT(one.series[0].x, ElementsAre(0.1, 0.1));
  EXPECT_THAT(one.series[0].y, ElementsAre(1.5, 1.25));
  EXPECT_THAT(one.series[0].error, ElementsAre(0.25, 0));
  EXPECT_FALSE(one.series[0].provisional);
  EXPECT_THAT(one.series[1].x, ElementsAre(0.2));
  EXPECT_TRUE(one.series[1].provisional);
  const Curve bySeed =
      sweep::chartOf(*all_, sweep::chooseAxes(*all_, {"packing", "seed", "pressure"}), {});
  ASSERT_EQ(bySeed.series.size(), 3u);
  EXPECT_THAT(bySeed.series[0].x, ElementsAre(0.1));
  EXPECT_TRUE(bySeed.series[1].provisional);
  EXPECT_THAT(bySeed.series[2].y, ElementsAre(1.25));
  double x = 0, y = 0;
  EXPECT_TRUE(sweep::placeOf(*all_, axes, all_->points[2], x, y));
  EXPECT_EQ(x, 0.2);
  EXPECT_EQ(y, 3.5);
  EXPECT_FALSE(sweep::placeOf(*all_, axes, all_->points[3], x, y)) << "it is not done";
}

TEST_F(SweepOverview, DrawsMeansOverSeeds) {
  finish(0, 1.5, true), finish(1, 1.0, true), finish(2, 3.5, false);
  look();
  sweep::SweepAxes axes = sweep::chooseAxes(*all_, {.y = "pressure", .means = true});
  EXPECT_TRUE(axes.means);
  const Curve c = sweep::chartOf(*all_, axes, {});
  ASSERT_EQ(c.series.size(), 2u);
  EXPECT_THAT(c.series[0].x, ElementsAre(0.1));
  EXPECT_THAT(c.series[0].y, ElementsAre(1.25));
  // Of two values the error of their mean is half of their difference.
  EXPECT_THAT(c.series[0].error, ElementsAre(testing::DoubleNear(0.25, 1e-15)));
  EXPECT_TRUE(c.series[1].provisional);
  EXPECT_THAT(c.series[1].y, ElementsAre(3.5));
  EXPECT_THAT(c.series[1].error, ElementsAre(0.25)) << "a single seed keeps its own";
  EXPECT_EQ(sweep::chartPoints(*all_, axes)[0].point, &all_->points[0]);
  finish(3, 4.5, true);
  look();
  EXPECT_TRUE(sweep::chartOf(*all_, axes, {}).series[1].provisional) << "one is not settled";
  axes.series = "seed";
  EXPECT_FALSE(sweep::chooseAxes(*all_, axes).means) << "there is nothing to average";
}

TEST_F(SweepOverview, PutsPublishedCurvesOfTheSameAxesBehind) {
  finish(0, 1.5, true);
  look();
  CurveSeries published{"published", "somebody 1999", {0.1}, {1.4}};
  CurveSeries own{"this run", "", {0.1}, {1.6}};
  const std::vector<Curve> curves = {
      {"eos", "", {"packing fraction"}, {"P*  (k_B T / sigma^2)"}, "", {own, published}},
      {"other", "", {"density"}, {"P*  (k_B T / sigma^2)"}, "", {published}},
      {"another", "", {"packing fraction"}, {"energy"}, "", {published}}};
  const auto series =
      sweep::chartOf(*all_, sweep::chooseAxes(*all_, {.y = "pressure"}), curves).series;
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[1].source, "somebody 1999");
  EXPECT_EQ(sweep::chartOf(*all_, sweep::chooseAxes(*all_, {.y = "time"}), curves).series.size(),
            1u);
}

TEST_F(SweepOverview, NamesWordsOnAnAxis) {
  create({"start=hexagonal,square", "packing=0.1,0.2"});
  for (std::size_t k = 0; k < 4; ++k) finish(k, 1, true);
  look();
  const sweep::SweepAxes axes = sweep::chooseAxes(*all_, {.y = "pressure"});
  EXPECT_EQ(axes.x, "start");
  EXPECT_EQ(axes.series, "packing");
  const Curve c = sweep::chartOf(*all_, axes, {});
  EXPECT_EQ(c.x.scale, AxisScale::named);
  ASSERT_EQ(c.x.names.size(), 2u);
  ASSERT_EQ(c.series.size(), 2u);
  EXPECT_THAT(c.series[0].x, ElementsAre(0, 1));
}

}  // namespace
}  // namespace cellscope
