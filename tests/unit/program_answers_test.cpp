// What programs read: whether a run reached its goal, by exit code and the file of --result, --json
// of the commands, and the plan of a run.
// Bad input and bad luck as a person meets them: configurations and checkpoints that are damaged or
// of another kind, and what a person could otherwise only guess. Exit code 2 for what cannot be
// run, 1 for a run that fails, whose last valid state is kept; each says cause and way out.
#include <gmock/gmock.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "sim/api/mode.h"
#include "sim/base/backend.h"
#include "sim/base/build.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"
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

TEST_F(Program, AConfigurationOfAnotherKindIsNamed) {
  const std::string flat = file("flat.xyz"), deep = file("deep.xyz");
  ASSERT_TRUE(completes("run dilute --set n=64 --backend cpu --steps 1 --trajectory " + flat));
  ASSERT_TRUE(
      completes("run lj_all_pairs --set n=108 --backend cpu --steps 1 --trajectory " + deep));
  Result r = cellscope("run dilute --backend cpu --steps 1 --load-configuration " + deep);
  EXPECT_TRUE(ended(r, 2, {"needs a configuration in two dimensions"}));
  // Molecular dynamics takes planes too, where three dimensions were not asked for.
  EXPECT_TRUE(refuses(
      "run lj_all_pairs --set dimension=3 --backend cpu --steps 1 --load-configuration " + flat,
      {"the configuration determines 'dimension', 2"}));
  const std::string again = file("again.xyz");
  EXPECT_TRUE(completes("run lj_all_pairs --backend cpu --steps 1 --trajectory " + again +
                            " --load-configuration " + flat,
                        {"64 particles"}));
  EXPECT_EQ(io::readConfiguration(again).configuration.box.dimension, 2);
  r = cellscope("run dilute --set packing=0.5 --backend cpu --steps 1 --load-configuration " +
                flat);
  EXPECT_TRUE(ended(r, 2, {"the configuration determines 'packing', 0.2"}));
  EXPECT_TRUE(
      completes("run dilute --set n=64 d=0.3 --backend cpu --steps 1 --load-configuration " + flat,
                {"64 particles"}));
}

// A damaged checkpoint is refused with the reason and exit code 2; that any damage is found, by
// every byte: Session.EveryFlippedByteAndEveryTruncationIsFound.
TEST_F(Program, DamagedCheckpointsAreRefused) {
  const std::string bad = file("bad.checkpoint");
  ASSERT_TRUE(completes(run_ + "--steps 20 --checkpoint " + checkpoint_));
  const std::string good = io::readFile(checkpoint_);
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  const std::pair<std::string, const char*> cases[] = {
      {"", "is not a checkpoint: it is empty"},
      {std::string("x") + good.substr(1),
       "is not a checkpoint of this program, or its beginning is damaged"},
      {flipped, "is damaged: its checksum"}};
  for (const auto& [bytes, wanted] : cases) {
    std::ofstream(bad, std::ios::binary) << bytes;
    const Result r = cellscope("run --resume " + bad + " --backend cpu --steps 1");
    EXPECT_TRUE(ended(r, 2, {wanted, bad, "; use an older checkpoint, or run its scenario again"}));
  }
  // One that an earlier run left under the number of its results.
  std::ofstream(bad, std::ios::binary) << good.substr(0, 99);
  std::ofstream(file("bad.1.checkpoint"), std::ios::binary) << good;
  std::ofstream(file("bad.2.checkpoint"), std::ios::binary) << good;
  const Result r = cellscope("run --resume " + bad + " --backend cpu --steps 1");
  EXPECT_TRUE(has(r, "; '" + file("bad.2.checkpoint") + "' is an older one")) << r.output;
}

class Messages : public Program {};

TEST_F(Messages, NameASettingThatDoesNothing) {
  EXPECT_TRUE(completes("run gcmc_plane --backend cpu --set length_z=9 --steps 1",
                        {"length_z=9 does nothing now: 'length_z' acts with dimension = 3"}));
  const Result space = cellscope("run gcmc_liquid --backend cpu --set length_z=9 --steps 1");
  EXPECT_TRUE(ended(space, 0) && !has(space, "does nothing")) << space.output;
}

// app/start with tools that do nothing: why it builds without CUDA, as the program will state it.
TEST_F(Messages, StateWhyABuildHasNoCuda) {
  const fs::path source = CELLSCOPE_SOURCE_DIR;
  fs::create_directories(folder_ / "app");
  for (const char* name : {"start", "packages.sh"})
    fs::copy(source / "app" / name, folder_ / "app" / name);
  const auto tool = [&](const std::string& name, const std::string& does) {
    fs::permissions(put(name, "#!/bin/sh\n" + does + "\n"), fs::perms::owner_all);
  };
  tool("dpkg-query", "echo installed");
  tool("cmake", "printf '%s\\n' \"$@\" >> " + file("options"));
  const auto started = [&](const char* cuda, bool nvcc, bool driver) {
    tool("nvidia-smi", driver ? "exit 0" : "exit 9");
    fs::remove(file("nvcc"));
    if (nvcc) tool("nvcc", "exit 0");
    fs::remove(file("options"));
    shell("PATH=" + folder_.string() + ":/usr/bin:/bin CELLSCOPE_CUDA=" + cuda + " " +
          file("app/start"));
    return io::readFile(file("options"));
  };
  const auto off = [](const std::string& why) {
    return testing::HasSubstr("-DCELLSCOPE_CUDA=OFF\n-DCELLSCOPE_WHY_NO_CUDA=" + why + "\n");
  };
  EXPECT_THAT(started("OFF", true, true), off("CELLSCOPE_CUDA=OFF was set"));
  EXPECT_THAT(started("AUTO", true, false), off("no NVIDIA driver was found when it was built"));
  EXPECT_THAT(started("AUTO", true, true), testing::HasSubstr("-DCELLSCOPE_CUDA=AUTO\n"));
  if (!fs::exists("/usr/local/cuda/bin/nvcc") && !fs::exists("/usr/bin/nvcc")) {
    EXPECT_THAT(started("AUTO", false, true), off("nvcc was not found"));
    EXPECT_THAT(started("ON", false, true), testing::HasSubstr("-DCELLSCOPE_CUDA=ON\n"));
  }
}

TEST_F(Messages, StateTheReasonOfTheBuildSystem) {
  if (kCudaBuilt) GTEST_SKIP() << "this build has CUDA";
  const std::string why = whyNoCuda();
  EXPECT_TRUE(has(here("info"), "built with: CPU backend only (" + why + ")"));
  EXPECT_TRUE(
      has(here("run four_disks --steps 1 --backend cuda"), "this build has no CUDA (" + why + ")"));
}

TEST_F(Messages, ThatCannotBeWrittenAreAFailure) {
  for (const char* arguments : {"--version", "--help", "list", "info", "reproduce --help"})
    EXPECT_TRUE(ended(cellscope(std::string(arguments) + " > /dev/full"), 1,
                      {"standard output could not be written"}));
}

TEST_F(Messages, ShowNoControlCharactersOfTitlesAndNames) {
  const std::string path = put("bell.toml",
                               "title = \"red \\u001b[31m bell \\u0007\"\n"
                               "mode = \"hard_disks\"\n");
  EXPECT_TRUE(completes("list " + path, {"red \\x1b[31m bell \\x07"}));
  for (const std::string& arguments :
       {std::string("list $'no\\x1b[31m'"), std::string("run $'no\\x1b[31m' --steps 1"),
        std::string("--frob$'\\x1b[31m'")}) {
    const Result refused = shell("bash -c \"" CELLSCOPE_PROGRAM " " + arguments + "\"");
    EXPECT_EQ(refused.output.find('\x1b'), std::string::npos) << arguments;
    EXPECT_TRUE(has(refused, "\\x1b")) << refused.output;
  }
}

TEST_F(Messages, FindTheGalleryBehindAFileOfTheSameName) {
  put("four_disks", "title = \"mine\"\nmode = \"hard_disks\"\n");
  EXPECT_FALSE(has(here("list four_disks"), "mine"));
  EXPECT_TRUE(has(here("list ./four_disks"), "mine"));
  put("own", "title = \"mine\"\nmode = \"hard_disks\"\n");
  EXPECT_TRUE(has(here("list own"), "mine"));
}

TEST_F(Messages, TellFoldersAndLoopsOfLinks) {
  fs::create_directory(file("folder"));
  EXPECT_TRUE(refuses("run " + file("folder") + " --steps 1", {"is a folder, not a scenario"}));
  fs::create_symlink(file("a.toml"), file("b.toml"));
  fs::create_symlink(file("b.toml"), file("a.toml"));
  EXPECT_TRUE(
      refuses("run " + file("a.toml") + " --steps 1", {"Too many levels of symbolic links"}));
}

TEST_F(Messages, SayHowAValueIsWritten) {
  const std::string path =
      put("tile.toml", "title = \"t\"\nmode = \"md\"\n[parameters]\ntile = 64\n");
  EXPECT_TRUE(refuses("run " + path + " --steps 1",
                      {"value 64 is not text; write it in quotes, \"64\"", "tile.toml:4"}));
  EXPECT_TRUE(completes(run_ + "--steps 1 --set seed=9007199254740992"));
}

// More of what molecular dynamics refuses: MdBadInput.
TEST_F(Program, ParticlesThatOverlapAreRefusedWithTheirFile) {
  for (const auto& [second, cause] :
       {std::pair("1 1 1", "same position"), std::pair("1.2 1 1", "overlaps")}) {
    const std::string path =
        put("some.xyz",
            "2\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nA 1 1 1\nA " +
                std::string(second) + "\n");
    EXPECT_TRUE(refuses("run lj_all_pairs --backend cpu --steps 1 --load-configuration " + path,
                        {path, cause, "minimise = true"}));
  }
}

// A particle that is flung away: it is named, the state before is in a checkpoint, and a smaller
// time step goes on from there.
TEST_F(Program, ARunThatBlowsUpKeepsItsState) {
  for (const std::string method : {"all_pairs", "cells", "tree", "placeholder_cells"}) {
    EXPECT_TRUE(ended(here("run lj_all_pairs --backend cpu --steps 3000 --set n=500 temperature=20 "
                           "dt=0.03 cutoff=2.5 method=" +
                           method),
                      1, {"blew up", "dt = 0.03"}));
    EXPECT_TRUE(ended(here("run --resume lj_all_pairs.checkpoint --backend cpu --steps 5 --set "
                           "dt=0.0005"),
                      0))
        << method;
  }
}

}  // namespace
}  // namespace cellscope::test
