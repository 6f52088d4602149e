// What programs read: whether a run reached its goal, by exit code and the file of --result, --json
// of the commands, and the plan of a run.
#include <gmock/gmock.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "sim/api/mode.h"
#include "sim/io/files.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using nlohmann::json, testing::HasSubstr;

struct Goal : Program {
  const std::string result_ = file("result.json"),
                    outputs_ =
                        " --quiet --overwrite --result " + result_ + " --checkpoint " + checkpoint_,
                    start_ = "run argon --set n=108 --backend cpu" + outputs_;
};

TEST_F(Goal, TheResultHoldsWhatWasReached) {
  const Result r =
      cellscope("run argon --set n=108 --set seed=7 --backend cpu --steps 2000 --csv " + csv_ +
                " --result " + result_);
  ASSERT_EQ(r.code, 0) << r.output;
  const json result = json::parse(io::readFile(result_));
  EXPECT_EQ(result["goal"], json({{"steps", 2000}}));
  EXPECT_EQ(result["step"], 2000);
  EXPECT_EQ(result["mode"], "md");
  EXPECT_EQ(result["particles"], 108);
  EXPECT_EQ(result["parameters"]["seed"], 7);
  EXPECT_EQ(result["backend"], "cpu");
  // The averages are those of the time series and of the terminal.
  const json& t = result["averages"]["temperature"];
  EXPECT_THAT(r.output, HasSubstr("(" + std::to_string(t["samples"].get<int>()) + " samples"));
  double sum = 0;
  int samples = 0;
  for (const std::string& row : seriesRows(csv_)) {
    if (row.starts_with("step")) continue;
    const unsigned long step = std::stoul(row);  // 0: the start, in no average
    if (step == 0 || step < t["from_step"].get<unsigned long>()) continue;
    sum += std::stod(row.substr(row.find(',') + 1)), ++samples;
  }
  EXPECT_EQ(samples, t["samples"]);
  // Rows have six digits or more.
  EXPECT_NEAR(t["mean"].get<double>(), sum / samples, 1e-5);
}

TEST_F(Goal, ItIsTheSameInOnePartAndInTwo) {
  ASSERT_TRUE(completes(start_ + " --until 300"));
  const json whole = json::parse(io::readFile(result_));
  fs::remove(result_), fs::remove(checkpoint_);
  ASSERT_TRUE(completes(start_ + " --until 100"));
  EXPECT_NE(json::parse(io::readFile(result_))["final_state_crc64"], whole["final_state_crc64"]);
  ASSERT_TRUE(completes("run --backend cpu --resume " + checkpoint_ + outputs_ + " --until 300"));
  EXPECT_EQ(json::parse(io::readFile(result_)), whole);
}

TEST_F(Goal, WhatIsStoppedHasNoResultAndACodeOfItsOwn) {
  ASSERT_TRUE(completes(start_ + " --until 10"));
  ASSERT_TRUE(fs::exists(result_));
  const std::string resumed = "run --backend cpu --resume " + checkpoint_ + outputs_;
  EXPECT_TRUE(ended(cellscope(resumed + " --until 2000000000 --seconds 0.2"), 85));
  EXPECT_FALSE(fs::exists(result_)) << "that of the earlier part";
  EXPECT_TRUE(ended(shell(CELLSCOPE_PROGRAM " " + resumed + " --until 2000000000 --csv " + csv_ +
                          signalledOnce("grep -qs '^[1-9]' " + csv_, "TERM")),
                    85));
  EXPECT_FALSE(fs::exists(result_));
  EXPECT_TRUE(completes(resumed + " --seconds 0.2"));
  EXPECT_EQ(json::parse(io::readFile(result_))["goal"], json({{"seconds", 0.2}}));
}

// The limit is a tenth before its end.
TEST_F(Goal, AJobStopsBeforeItsTimeIsOver) {
  const std::string run =
      "run argon --set n=108 --backend cpu --steps 2000000000 --overwrite "
      "--checkpoint " +
      checkpoint_;
  const auto env = [&](const std::string& variables, const std::string& more = "") {
    return shell("env -u DISPLAY " + variables + " " CELLSCOPE_PROGRAM " " + run + more);
  };
  for (const Result& r : {env("A=", " --max-walltime 1"),
                          env("SLURM_JOB_END_TIME=" + std::to_string(std::time(nullptr) + 2)),
                          env("ACTION_WALLTIME_IN_MINUTES=0.02"), env("SLURM_JOB_END_TIME=1")})
    EXPECT_TRUE(ended(r, 85,
                      {"Stopped by the limit of the wall time after step",
                       "cellscope run --resume " + checkpoint_}));
  EXPECT_TRUE(ended(env("SLURM_JOB_END_TIME=soon"), 2,
                    {"SLURM_JOB_END_TIME: 'soon' is no number from 0 to 1e12"}));
}

struct Json : Program {
  // Standard output alone.
  Result only(const std::string& arguments) const {
    return shell(CELLSCOPE_PROGRAM " " + arguments + " 2> " + file("messages"));
  }
  json parsed(const std::string& arguments) const {
    const Result r = only(arguments);
    EXPECT_EQ(r.code, 0) << arguments << io::readFile(file("messages"));
    const json out = json::parse(r.output, nullptr, false);
    EXPECT_FALSE(out.is_discarded()) << r.output;
    EXPECT_EQ(out.value("schema", 0), 1) << arguments;
    EXPECT_THAT(out.value("program", ""), HasSubstr("cellscope "));
    return out;
  }
};

TEST_F(Json, OfARunIsThatOfTheResult) {
  const json out = parsed(run_ + "--steps 100 --json --result " + file("a.json"));
  EXPECT_EQ(out["kind"], "run");
  EXPECT_EQ(out, json::parse(io::readFile(file("a.json"))));
  EXPECT_THAT(io::readFile(file("messages")), HasSubstr("100 sweeps in"));
  const Result stopped =
      only(run_ + "--steps 2000000000 --seconds 0.1 --json --checkpoint " + checkpoint_);
  EXPECT_EQ(stopped.code, 85);
  EXPECT_EQ(stopped.output, "");
}

TEST_F(Json, OfListsNamesWhatTheTextNames) {
  const json all = parsed("list --json");
  EXPECT_EQ(all["modes"].size(), modeKeys().size());
  EXPECT_GT(all["scenarios"].size(), 40u);
  for (const json& m : all["modes"]) {
    const std::string key = m["mode"];
    const json mode = parsed("list --json " + key);
    const ParameterSet set = describeMode(key).parameters();
    ASSERT_EQ(mode["parameters"].size(), set.items().size());
    for (std::size_t k = 0; k < set.items().size(); ++k) {
      const Parameter& p = set.items()[k];
      const json& j = mode["parameters"][k];
      EXPECT_EQ(j["key"], p.info.key);
      EXPECT_EQ(j["type"] == "choice", !p.info.choices.empty()) << p.info.key;
      EXPECT_EQ(j.contains("min"), j["type"] == "real" || j["type"] == "integer") << p.info.key;
    }
    EXPECT_EQ(mode["observables"].size(), describeMode(key).observables.size());
  }
  EXPECT_EQ(parsed("list argon --json")["mode"], "md");
}

TEST_F(Json, OfThisMachine) {
  const json info = parsed("info --json");
  EXPECT_GE(info["cpu"]["processors"], 1);
  EXPECT_EQ(info["cuda"]["usable"], info["cuda"]["reason"] == "");
  EXPECT_THAT(cellscope("info").output, HasSubstr("assets: " + info["assets"].get<std::string>()));
}

struct PlannedRun {
  const char *arguments, *trajectory;
  std::uint64_t steps;
};
struct Plan : Json, testing::WithParamInterface<PlannedRun> {};

// Rows and frames differ in the digits of their numbers, checkpoints in what averages keep: by a
// fifth at most, however far the second that is measured goes.
TEST_P(Plan, SizesAreThoseOfTheRunAndNothingIsWritten) {
  const PlannedRun& p = GetParam();
  const std::string folder = file("out") + "/";
  fs::create_directories(folder);
  const std::string run = std::string("run ") + p.arguments +
                          " --backend cpu --threads 1 --until " + std::to_string(p.steps) +
                          " --sample-every 10 --csv " + folder + "a.csv --checkpoint " + folder +
                          "a.checkpoint --trajectory " + folder + p.trajectory +
                          " --trajectory-every " + std::to_string(p.steps / 20);
  const json plan = parsed(run + " --plan --json");
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_EQ(plan["kind"], "plan");
  EXPECT_EQ(plan["steps"], p.steps);
  EXPECT_GT(plan["time"]["measured_steps"], 0);
  EXPECT_GE(plan["time"]["measured_seconds"], 1);
  EXPECT_GT(plan["time"]["seconds"], 0);
  EXPECT_GT(plan["memory"]["host_bytes"], 1000000);
  EXPECT_FALSE(plan["memory"].contains("device_bytes"));
  ASSERT_TRUE(completes(run + " --quiet"));
  ASSERT_EQ(plan["files"].size(), 3u);
  for (const json& f : plan["files"]) {
    const std::string path = f["path"];
    const auto bytes = static_cast<double>(fs::file_size(path));
    EXPECT_GE(f["bytes"].get<double>(), 0.8 * bytes) << path;
    EXPECT_LE(f["bytes"].get<double>(), 1.2 * bytes) << path;
    EXPECT_EQ(f["peak_bytes"],
              f["bytes"].get<std::int64_t>() * (f["option"] == "--checkpoint" ? 2 : 1));
    EXPECT_GT(f["free_bytes"], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Plan,
                         testing::Values(PlannedRun{"four_disks", "a.xyz", 20000},
                                         PlannedRun{"hexatic --set n=1024", "a.gsd", 2000},
                                         PlannedRun{"argon --set n=500", "a.h5", 2000},
                                         PlannedRun{"gcmc_liquid --set density=0.67", "a.xyz.gz",
                                                    1000}));

TEST_F(Json, APlanOfWhatCannotBeIsRefused) {
  Result r = shell("ulimit -v 4000000; " CELLSCOPE_PROGRAM
                   " run argon --set n=16000000 --backend cpu --plan --steps 10");
  EXPECT_TRUE(ended(r, 1, {"the largest 'n' that fits is about"}));
  EXPECT_TRUE(refuses("run argon --plan --csv " + file("none/a.csv"), {"there is no folder"}));
}

TEST_F(Json, APlanTellsInWordsWhatWasMeasured) {
  EXPECT_TRUE(completes(
      run_ + "--plan --steps 1000000 --checkpoint " + checkpoint_ + " --picture " + file("a.png"),
      {"1e+06 sweeps, by ", "sweeps measured in 1 s", "twice that while it is replaced",
       "--picture: not estimated"}));
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace cellscope::test
