// Sweeps: the folder, workers that are killed or share it, and what is collected; and as the window
// shows them: states of their points, and which of them are where in the chart.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/sweep/sweep.h"
#include "sim/io/files.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

struct Sweep : Program {
  std::string quoted(const std::string& path) const { return "'" + path + "'"; }
  Result init(const std::string& dir, const std::string& more) {
    return cellscope("sweep init " + quoted(dir) + " four_disks " + more);
  }
  // Its points.
  std::vector<sweep::Point> made(const std::string& vary) {
    EXPECT_TRUE(ended(init(dir_, vary), 0));
    return sweep::pointsOf(dir_);
  }
  Result work(const std::string& dir, const std::string& more = "") {
    return cellscope("sweep work " + quoted(dir) + " --backend cpu " + more);
  }
  std::string collected(const std::string& dir, const std::string& name) {
    EXPECT_TRUE(completes("sweep collect " + quoted(dir) + " --output " + file(name)));
    return io::readFile(file(name));
  }
  const std::string dir_ = file("a sweep");
};

TEST(SweepVary, ValuesAreAsWritten) {
  using testing::ElementsAre;
  EXPECT_THAT(sweep::parseVaried("packing=0.6..0.63:4").values,
              ElementsAre("0.6", "0.61", "0.62", "0.63"));
  EXPECT_THAT(sweep::parseVaried("seed=-1..2").values, ElementsAre("-1", "0", "1", "2"));
  EXPECT_THAT(sweep::parseVaried("method=a,b").values, ElementsAre("a", "b"));
  for (const char* wrong : {"packing", "=1", "a=", "a=1,", "a=2..1", "a=0.1..0.2", "a=1..2:1",
                            "a=1..2:x", "a=x..2:3", "a=0..100000000"})
    EXPECT_THROW(sweep::parseVaried(wrong), InputError) << wrong;
}

// Python decides: signac takes the MD5 of its json.dumps(sort_keys=True).
TEST_F(Sweep, IdsAreThoseOfSignac) {
  const sweep::StatePoint point = {{"a", 1e-7},      {"b", 1e16},
                                   {"c", 0.1},       {"d", 3.0},
                                   {"e", 123456.75}, {"f", std::int64_t(-4)},
                                   {"g", true},      {"h", std::string("pl\"ain")},
                                   {"i", 1e15},      {"j", 0.0001},
                                   {"k", -2.5e-5},   {"l", std::string("\xc3\xa9")}};
  const Result r = shell(
      "python3 -c 'import hashlib, json\n"
      "p = dict(a=1e-7, b=1e16, c=0.1, d=3.0, e=123456.75, f=-4, g=True, h=\"pl\\\"ain\", i=1e15, "
      "j=0.0001, k=-2.5e-5, l=\"\\u00e9\")\n"
      "print(hashlib.md5(json.dumps(p, sort_keys=True).encode()).hexdigest(), end=\"\")'");
  EXPECT_EQ(sweep::idOf(point), r.output) << sweep::textOf(point);
}

TEST_F(Sweep, KilledWorkersLeaveWhatOthersFinish) {
  const std::string vary = "--vary packing=0.08..0.16:3 --vary seed=1..2 --until 60000";
  ASSERT_EQ(init(dir_, vary).code, 0);
  ASSERT_EQ(init(file("whole"), vary).code, 0);
  EXPECT_EQ(init(dir_, vary).code, 2) << "it holds a sweep";
  ASSERT_EQ(work(file("whole")).code, 0);
  const std::string whole = collected(file("whole"), "whole.csv");
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 7);
  // Two at once; each is killed when it is at its first points.
  for (int round = 0; round < 3; ++round) {
    const std::string begun = "ls " + quoted(dir_) + "/workspace/*/run.csv > /dev/null 2>&1";
    const std::string start =
        "(exec " CELLSCOPE_PROGRAM " sweep work " + quoted(dir_) + " --backend cpu --threads 1)";
    shell(start + " & q=$!; " + start + signalledOnce(begun, "KILL") + "; kill -KILL $q; wait $q");
  }
  const auto all = sweep::pointsOf(dir_);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(work(dir_, all[0].id + " 'workspace/" + all[1].id + "'").code, 0);
  EXPECT_EQ(all[1].state(), sweep::PointState::done);
  EXPECT_EQ(work(dir_).code, 0);
  EXPECT_EQ(collected(dir_, "again.csv"), whole);
  EXPECT_EQ(collected(dir_, "a.jsonl"), collected(file("whole"), "b.jsonl"));
  EXPECT_THAT(work(dir_).output, HasSubstr("6 done, 0 failed, 0 left")) << "again: nothing to do";
}

TEST_F(Sweep, WhatIsRefusedFailsAndTheOthersGoOn) {
  ASSERT_EQ(init(dir_, "--vary packing=0.1,0.9 --until 100").code, 0);
  EXPECT_EQ(work(dir_).code, 1);
  EXPECT_TRUE(completes("sweep status " + quoted(dir_),
                        {"1 done", "1 failed", "4 disks at packing 0.9 need a box"}));
  const auto states =
      nlohmann::json::parse(cellscope("sweep status --json " + quoted(dir_)).output)["points"];
  ASSERT_EQ(states.size(), 2u);
  const auto& failed = states[states[0]["state"] == "failed" ? 0 : 1];
  EXPECT_THAT(failed["message"], HasSubstr("4 disks at packing 0.9 need a box"));
}

TEST_F(Sweep, TimeThatIsOverLeavesPointsResumable) {
  ASSERT_EQ(init(dir_, "--vary seed=1..2 --until 2000000000").code, 0);
  EXPECT_EQ(work(dir_, "--max-walltime 1").code, 85);
  for (const sweep::Point& p : sweep::pointsOf(dir_)) {
    EXPECT_NE(p.state(), sweep::PointState::done);
    EXPECT_NE(p.state(), sweep::PointState::failed);
  }
}

TEST_F(Sweep, APointOfAnotherWorkerIsLeftAlone) {
  const sweep::Point point = made("--vary seed=1..2 --until 10").front();
  const io::FolderLock other(point.folder.string());
  EXPECT_TRUE(
      ended(work(dir_), 85, {point.id + ": another worker is at it", "1 done, 0 failed, 1 left"}));
}

TEST_F(Sweep, WhatIsStoppedDuringSetUpHasNotFailed) {
  ASSERT_TRUE(completes("sweep init " + quoted(dir_) + " million --vary seed=1..2 --until 10"));
  EXPECT_TRUE(ended(shell(CELLSCOPE_PROGRAM " sweep work " + quoted(dir_) + " --backend cpu" +
                          signalledOnce(kListens, "TERM")),
                    85));
  EXPECT_THAT(cellscope("sweep status " + quoted(dir_)).output, HasSubstr("0 failed"));
}

TEST_F(Sweep, AFullDiskLeavesTheTableThatWasThere) {
  ASSERT_EQ(init(dir_, "--vary seed=1..2 --until 100").code, 0);
  const std::string empty = collected(dir_, "a.csv");
  EXPECT_EQ(empty, "");
  ASSERT_EQ(work(dir_).code, 0);
  const std::string collect =
      CELLSCOPE_PROGRAM " sweep collect " + quoted(dir_) + " --output " + csv_;
  EXPECT_TRUE(ended(shell("ulimit -f 0; " + collect), 1, {"cannot write '" + csv_}));
  EXPECT_EQ(io::readFile(csv_), empty);
  EXPECT_EQ(shell(CELLSCOPE_PROGRAM " sweep collect " + quoted(dir_) + " > /dev/full").code, 1);
  EXPECT_EQ(shell(collect).code, 0);
  EXPECT_THAT(io::readFile(csv_), HasSubstr("equilibrated"));
}

// Machines whose clocks are wrong write files of other times; a link has none of its own.
TEST_F(Sweep, TimesOfFilesDoNotMatter) {
  const auto all = made("--vary seed=1..3 --until 100");
  ASSERT_EQ(init(file("whole"), "--vary seed=1..3 --until 100").code, 0);
  ASSERT_EQ(work(dir_, all[0].id).code, 0);
  ASSERT_EQ(shell("find " + quoted(dir_) + " -exec touch -d 2040-01-01 {} + ; find " +
                  quoted(dir_) + "/workspace/" + all[1].id + " -exec touch -d 1980-01-01 {} +")
                .code,
            0);
  EXPECT_EQ(work(dir_).code, 0);
  EXPECT_EQ(work(file("whole")).code, 0);
  EXPECT_EQ(collected(dir_, "a.csv"), collected(file("whole"), "b.csv"));
}

TEST_F(Sweep, AFolderOfAnotherVersionIsRefused) {
  ASSERT_EQ(init(dir_, "--vary seed=1 --until 100").code, 0);
  std::ofstream(dir_ + "/sweep.json") << R"({"schema": 2, "varied": ["seed"], "points": 1})";
  EXPECT_TRUE(ended(work(dir_), 2, {"schema 2 of a sweep; this version of cellscope reads 1"}));
  std::ofstream(dir_ + "/sweep.json") << "{";
  EXPECT_TRUE(refuses("sweep status " + quoted(dir_)));
}

// A checkpoint that this version cannot read fails its point and names the file; the others go on.
TEST_F(Sweep, ACheckpointOfAnotherVersionFailsItsPoint) {
  const sweep::Point point = made("--vary seed=1..2 --until 100").front();
  std::ofstream(point.checkpoint()) << "CELLSCP\n" << std::string(56, '\x7f');
  EXPECT_TRUE(ended(work(dir_), 1, {"1 done, 1 failed, 0 left"}));
  EXPECT_THAT(io::readFile(point.error().string()), HasSubstr(point.checkpoint().string()));
}

TEST_F(Sweep, ManyPointsAreCounted) {
  const auto all = made("--vary seed=1..2000 --until 10");
  ASSERT_EQ(work(dir_, all[7].id + " " + all[70].id).code, 0);
  std::ofstream(all[8].checkpoint()) << "";
  const io::FolderLock other(all[9].folder.string());
  EXPECT_THAT(cellscope("sweep status " + quoted(dir_)).output,
              HasSubstr("        2 done\n        1 resumable\n        1 running\n        0 failed\n"
                        "     1996 not begun\n"));
}

TEST_F(Sweep, BadInputIsNamed) {
  EXPECT_THAT(init(dir_, "--vary packing=2 --until 10").output, HasSubstr("0.001 to 0.9068"));
  EXPECT_THAT(init(dir_, "--vary pack=2 --until 10").output, HasSubstr("unknown parameter 'pack'"));
  EXPECT_THAT(init(dir_, "--vary seed=1,1 --until 10").output, HasSubstr("two points are equal"));
  EXPECT_THAT(init(dir_, "--vary seed=1 --set seed=2 --until 10").output,
              HasSubstr("'seed' is set or varied already"));
  EXPECT_FALSE(fs::exists(dir_));
  ASSERT_EQ(init(dir_, "--vary seed=1 --until 10").code, 0);
  EXPECT_TRUE(ended(work(dir_, "nosuchpoint"), 2, {"'nosuchpoint': no such point"}));
  EXPECT_EQ(work(file("none")).code, 2);
}

struct SweepOverview : Program {
  void SetUp() override {
    Program::SetUp();
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

  const std::string dir_ = file("a sweep");
  std::shared_ptr<const sweep::Overview> all_;
};

TEST_F(SweepOverview, HasThePointsInTheOrderOfTheValuesWithTheirStates) {
  ASSERT_EQ(all_->points.size(), 4u);
  EXPECT_EQ(sweep::wordsOf(*all_, all_->points[0]), "Packing fraction 0.1, Seed 1");
  EXPECT_EQ(sweep::wordsOf(*all_, all_->points[3]), "Packing fraction 0.2, Seed 2");
  EXPECT_EQ(sweep::countsOf(*all_), "4 not begun");
  finish(0, 1.5, true);
  std::ofstream(all_->points[1].point.error()) << "too dense\n";
  std::ofstream(all_->points[2].point.checkpoint()) << "x";
  const io::FolderLock worker(all_->points[3].point.folder.string());
  look();
  EXPECT_EQ(sweep::countsOf(*all_), "1 done, 1 resumable, 1 running, 1 failed");
  EXPECT_EQ(all_->points[0].step, 100u);
  EXPECT_EQ(all_->points[1].message, "too dense");
  EXPECT_THAT(all_->observables, ElementsAre("pressure", "time"));
  // A point that is done is not read again.
  std::ofstream(all_->points[0].point.result()) << "{";
  look();
  EXPECT_EQ(all_->points[0].averages.at("pressure").value, 1.5);
  EXPECT_THROW(sweep::look(dir_, nullptr), InputError);
}

TEST_F(SweepOverview, ChartsSeriesWithErrorsAndMarksWhatIsNotInEquilibrium) {
  const Curve none = sweep::chartOf(*all_, sweep::chooseAxes(*all_, {}), {});
  EXPECT_THAT(none.series, IsEmpty());
  EXPECT_EQ(none.waiting, "no point is done yet");
  finish(0, 1.5, true), finish(1, 1.25, true, "null"), finish(2, 3.5, false);
  look();
  const sweep::SweepAxes axes = sweep::chooseAxes(*all_, {.y = "pressure"});
  EXPECT_EQ(axes, (sweep::SweepAxes{"packing", "", "pressure"})) << "seeds are no axis";
  const Curve one = sweep::chartOf(*all_, axes, {});
  EXPECT_EQ(one.waiting, "");
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
}  // namespace cellscope::test
