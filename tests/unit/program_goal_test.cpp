// Whether a run reached its goal: exit codes, the file of --result, the wall time of a job.
#include <gmock/gmock.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "sim/io/files.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;
using nlohmann::json;
using testing::HasSubstr;

struct Goal : Program {
  void SetUp() override {
    Program::SetUp();
    result_ = file("result.json"), checkpoint_ = file("a.checkpoint");
    outputs_ = " --quiet --overwrite --result " + result_ + " --checkpoint " + checkpoint_;
    start_ = "run argon --set n=108 --backend cpu" + outputs_;
  }
  std::string result_, checkpoint_, outputs_, start_;
};

TEST_F(Goal, TheResultHoldsWhatWasReached) {
  const Result r =
      cellscope("run argon --set n=108 --set seed=7 --backend cpu --steps 2000 --csv " +
                file("a.csv") + " --result " + result_);
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
  for (const std::string& line : linesOf(file("a.csv"))) {
    if (!std::isdigit(static_cast<unsigned char>(line[0]))) continue;
    const std::size_t comma = line.find(',');
    const unsigned long step = std::stoul(line);  // 0: the start, in no average
    if (step == 0 || step < t["from_step"].get<unsigned long>()) continue;
    sum += std::stod(line.substr(comma + 1)), ++samples;
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
  EXPECT_TRUE(
      ended(shell(CELLSCOPE_PROGRAM " " + resumed + " --until 2000000000 --csv " + file("a.csv") +
                  signalledOnce("grep -qs '^[1-9]' " + file("a.csv"), "TERM")),
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

}  // namespace
}  // namespace cellscope
