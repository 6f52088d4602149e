// What the program reads and writes when circumstances are against it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "app/common/terminal.h"
#include "sim/exec/machine.h"
#include "sim/io/formats/format.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::Contains, testing::Not, testing::StartsWith;

constexpr const char* kSixteenDisks =
    "mode = \"hard_disks\"\n[parameters]\nn = 16\npacking = 0.2\n";

TEST_F(Program, OneFileIsNeverTwoResults) {
  const std::string a = file("a.out"), dotted = folder_.string() + "/./a.out";
  EXPECT_TRUE(refuses("run million --backend cpu --csv " + a + " --trajectory " + dotted,
                      {"--csv and --trajectory both name"}));
  EXPECT_FALSE(fs::exists(a));
  std::ofstream(a) << "kept";
  fs::create_symlink(a, file("link.out"));
  EXPECT_TRUE(refuses(run_ + "--steps 1 --csv " + a + " --picture " + file("link.out")));
  EXPECT_EQ(io::readFile(a), "kept");
  fs::create_symlink("loop.out", file("loop.out"));
  EXPECT_TRUE(refuses("run million --backend cpu --csv " + file("loop.out")))
      << "before the state is set up";
  EXPECT_TRUE(completes(run_ + "--steps 1 --csv /dev/null --trajectory /dev/null"));
}

TEST_F(Program, WhatIsReadIsNeverOverwritten) {
  const std::string own = file("own.toml");
  std::ofstream(own) << "mode = \"hard_disks\"\n[parameters]\nn = 4\npacking = 0.1\n";
  ASSERT_TRUE(completes("run " + own + " --backend cpu --steps 5 --trajectory " + xyz_ +
                        " --checkpoint " + checkpoint_));
  const std::string cases[] = {
      "run " + own + " --csv " + own,
      "run " + own + " --load-configuration " + xyz_ + " --trajectory " + xyz_,
      "run --resume " + checkpoint_ + " --csv " + checkpoint_,
  };
  const std::string before[] = {io::readFile(own), io::readFile(xyz_), io::readFile(checkpoint_)};
  for (const std::string& arguments : cases)
    EXPECT_TRUE(refuses(arguments + " --backend cpu --steps 5", {"would overwrite"}));
  EXPECT_EQ(io::readFile(own), before[0]);
  EXPECT_EQ(io::readFile(xyz_), before[1]);
  EXPECT_EQ(io::readFile(checkpoint_), before[2]);
  EXPECT_TRUE(completes("run --resume " + checkpoint_ + " --backend cpu --steps 5 --checkpoint " +
                        checkpoint_));
}

// head leaves after a line; the run goes on and its files are complete.
TEST_F(Program, AReaderThatLeavesEndsNothing) {
  const std::string code = file("code");
  shell("(" CELLSCOPE_PROGRAM " " + run_ + "--seconds 11.5 --csv " + csv_ + " --trajectory " +
        xyz_ + " 2>&1; echo $? > " + code + ") | true; while [ ! -s " + code +
        " ]; do sleep 0.1; done");
  EXPECT_EQ(linesOf(code), std::vector<std::string>{"0"});
  EXPECT_THAT(linesOf(csv_).back(), StartsWith("# average"));
  EXPECT_EQ(io::readConfiguration(xyz_).configuration.ids.size(), 4u);
}

// Neither tables nor messages end a study or a measurement when nobody reads them.
TEST_F(Program, AReaderThatLeavesEndsNoStudy) {
  const auto unread = [this](const std::string& command) {
    shell("cd " + folder_.string() + "; rm -f code; (" CELLSCOPE_PROGRAM " " + command +
          "; echo $? > code) | true; while [ ! -s code ]; do sleep 0.1; done");
    return linesOf(file("code"));
  };
  using Code = std::vector<std::string>;
  for (const std::string name : {"all", "table"}) {
    // How much it judges depends on the speed of the computer: all codes of a study that ended.
    EXPECT_THAT(unread("reproduce table2 --backend cpu --sides 16 --packings 0.3,0.4 "
                       "--start crystal --minutes 0.03 --folder " +
                       name + (name == "all" ? " 2>&1" : "")),
                testing::ElementsAre(testing::AnyOf("0", "1", "3")));
    EXPECT_EQ(linesOf(file(name + "/table2.csv")).size(), 3u) << name;
    EXPECT_TRUE(fs::exists(file(name + "/table2-16-0.4-hexagonal-1.checkpoint"))) << name;
  }
  EXPECT_EQ(unread("bench --backend cpu --filter memory/256 --json bench.json 2>&1"), Code{"0"});
  EXPECT_TRUE(fs::exists(file("bench.json")));
}

TEST_F(Program, ClosedAndFullStreamsAreSurvived) {
  EXPECT_TRUE(ended(shell(CELLSCOPE_PROGRAM " run no_such_scenario 2>&-"), 2));
  EXPECT_TRUE(
      ended(shell(CELLSCOPE_PROGRAM " " + run_ + "--steps 20 --csv " + csv_ + " >&- 2>&-"), 0));
  EXPECT_THAT(linesOf(csv_)[0], StartsWith("# cellscope"));
  EXPECT_THAT(linesOf(csv_).back(), StartsWith("# average"));
  for (const std::string& arguments : {std::string("list"), run_ + "--steps 20 --csv " + csv_})
    EXPECT_TRUE(
        ended(shell(CELLSCOPE_PROGRAM " " + arguments + " > /dev/full"), 1, {"No space left"}));
  EXPECT_THAT(linesOf(csv_).back(), StartsWith("# average"));
}

// One result that fails takes no other with it, whichever it is.
TEST_F(Program, AFullDiskSpoilsNoOtherResult) {
  const auto expectWhole = [&](bool trajectoryToo) {
    EXPECT_THAT(linesOf(csv_).back(), StartsWith("# average"));
    if (trajectoryToo) {
      EXPECT_EQ(io::readConfiguration(xyz_).configuration.ids.size(), 4u);
    }
  };
  EXPECT_TRUE(ended(
      here(run_ + "--steps 20 --checkpoint /dev/full --csv " + csv_ + " --trajectory " + xyz_), 1,
      {"was saved in four_disks.checkpoint"}));
  expectWhole(true);
  EXPECT_TRUE(ended(here(run_ + "--steps 20 --trajectory /dev/full --checkpoint " + checkpoint_ +
                         " --csv " + csv_),
                    1, {"No space left", "was saved in " + checkpoint_}));
  expectWhole(false);
  EXPECT_TRUE(completes("run --resume " + checkpoint_ + " --backend cpu --steps 1"));
  EXPECT_TRUE(ended(here(run_ + "--steps 9000 --csv /dev/full --trajectory " + xyz_), 1,
                    {"No space left"}));
  EXPECT_TRUE(
      ended(here(run_ + "--steps 20 --picture /dev/full --csv " + csv_ + " --trajectory " + xyz_),
            1, {"was saved in four_disks-2.checkpoint"}))
      << "the first is kept";
  expectWhole(true);
  EXPECT_TRUE(completes("run --resume " + file("four_disks.checkpoint") + " --steps 1"));
}

TEST_F(Program, ALimitOnTheSizeOfFilesIsAFullDisk) {
  const Result r = shell("ulimit -f 128; " CELLSCOPE_PROGRAM
                         " run four_disks --backend cpu --threads 1 --steps 20000 "
                         "--sample-every 20000 --trajectory-every 1 --trajectory " +
                         xyz_ + " --checkpoint " + checkpoint_);
  EXPECT_TRUE(
      ended(r, 1,
            {"File too large; raise the limit", "was saved in " + checkpoint_,
             fmt::format("the first {} bytes of this run are in the file", fs::file_size(xyz_))}));
  EXPECT_TRUE(completes("run --resume " + checkpoint_ + " --backend cpu --steps 1"));
}

// `timeout` signals the program and then its group, which it belongs to; batch systems announce
// their limits, some of them every second.
TEST_F(Program, SignalsOfOneWishEndARunOnce) {
  for (const std::string name : {"TERM", "INT", "USR1", "USR2", "XCPU"}) {
    // Enough particles that it still writes when the second signal comes.
    const Result r =
        shell(CELLSCOPE_PROGRAM
              " run hexatic --set n=65536 --set start=hexagonal --backend cpu "
              "--steps 2000000000 --overwrite --sample-every 1 --checkpoint " +
              checkpoint_ + " --trajectory " + xyz_ + " --csv " + csv_ +
              signalledOnce("grep -qs '^[1-9]' " + csv_, name + " $p; sleep 0.01; kill -" + name));
    EXPECT_TRUE(ended(r, 85, {"was saved in " + checkpoint_})) << name;
    EXPECT_EQ(io::readConfiguration(xyz_).configuration.ids.size(), 65536u) << name;
    fs::remove(checkpoint_), fs::remove(xyz_), fs::remove(csv_);
  }
}

// Its checkpoint goes on, its files are complete.
TEST_F(Program, AnInterruptOverwritesNoOtherCheckpoint) {
  for (const char* name : {"four_disks.checkpoint", "four_disks-2.checkpoint"}) {
    fs::remove(csv_);
    EXPECT_TRUE(
        ended(here(run_ + "--seconds 20 --csv " + csv_, signalledOnce("grep -qs '^[1-9]' " + csv_)),
              85, {std::string("--resume ") + name}));
    EXPECT_THAT(linesOf(csv_).back(), StartsWith("# average"));
    EXPECT_TRUE(completes("run --resume " + file(name) + " --backend cpu --steps 1"));
  }
}

TEST_F(Program, AStateIsKeptHoweverLongTheNameOfItsScenario) {
  const std::string name(250, 's');
  put(name + ".toml", kSixteenDisks);
  const Result r = here("run " + name + ".toml --backend cpu --seconds 20 --csv a.csv",
                        signalledOnce("[ -s " + csv_ + " ]"));
  EXPECT_EQ(r.code, 85) << r.output;
  EXPECT_TRUE(fs::exists(file(std::string(200, 's') + ".checkpoint"))) << r.output;
}

// A million disks take seconds to set up.
TEST_F(Program, AnInterruptWhileSettingUpSaysThatNothingIsLost) {
  const Result r =
      here("run million --backend cpu --seconds 1 --csv " + csv_, signalledOnce(kListens));
  EXPECT_TRUE(ended(r, 1, {"stopped by Ctrl-C during set-up"}));
  EXPECT_FALSE(fs::exists(csv_));
}

// No files can be created in /proc, not even by root.
TEST_F(Program, WhereNothingCanBeWrittenResultsGoElsewhere) {
  const std::string start =
      "(cd /proc; exec env -u DISPLAY -u WAYLAND_DISPLAY TMPDIR=" + folder_.string() +
      " " CELLSCOPE_PROGRAM " ";
  const std::string running = signalledOnce("[ -s " + csv_ + " ]");
  Result r = shell(start + run_ + "--seconds 20 --csv " + csv_ + ")" + running);
  EXPECT_TRUE(ended(r, 85, {"--resume " + file("four_disks.checkpoint")}));
  EXPECT_TRUE(fs::exists(file("four_disks.checkpoint"))) << r.output;
  fs::remove(csv_);
  r = shell("(cd /proc; exec env TMPDIR=/no/such/folder " CELLSCOPE_PROGRAM " " + run_ +
            "--seconds 20 --csv " + csv_ + ")" + running);
  EXPECT_EQ(r.code, 85) << r.output;
  const std::size_t at = r.output.find("--resume /tmp/four_disks");
  ASSERT_NE(at, std::string::npos) << r.output;
  fs::remove(r.output.substr(at + 9, r.output.find('\n', at) - at - 9));
  const std::string rows =
      signalledOnce("grep -qs '^[1-9]' " + file("cellscope-output/workbench.csv"));
  r = shell(start + ")" + rows);
  EXPECT_TRUE(has(r, "results go to " + file("cellscope-output"))) << r.output;
  // A complete file ends in its averages, and in a word on them while they settle.
  EXPECT_THAT(linesOf(file("cellscope-output/workbench.csv")), Contains(StartsWith("# average")));
  fs::remove_all(file("cellscope-output"));
  const std::string gone = file("gone");
  r = shell("mkdir " + gone + "; (cd " + gone + "; rmdir " + gone + "; exec env -u DISPLAY " +
            "-u WAYLAND_DISPLAY TMPDIR=" + folder_.string() + " " CELLSCOPE_PROGRAM ")" + rows);
  EXPECT_TRUE(has(r, "results go to " + file("cellscope-output"))) << r.output;
  EXPECT_FALSE(has(r, "is set..")) << r.output;
}

TEST_F(Program, ATimeSeriesGoesOnOnlyInItsOwnFile) {
  const std::string md = file("md.checkpoint");
  const std::string small = "run hexatic --set n=200 --set packing=0.5 --backend cpu --quiet ";
  ASSERT_TRUE(completes(small + "--steps 20 --csv " + csv_ + " --checkpoint " + checkpoint_));
  ASSERT_TRUE(completes("run lj_all_pairs --set n=108 --backend cpu --steps 5 --checkpoint " + md));
  EXPECT_TRUE(refuses("run --resume " + md + " --backend cpu --steps 20 --csv " + csv_,
                      {"its columns are not"}));
  std::ofstream(csv_, std::ios::app) << "30,0.1,0.";  // the end of a crash
  EXPECT_TRUE(completes("run --resume " + checkpoint_ +
                        " --set leave_cell=true --set packing=0.45 --backend cpu " +
                        "--steps 40 --csv " + csv_));
  const auto lines = linesOf(csv_);
  EXPECT_THAT(lines, Contains("# changed after step 20: packing = 0.45"));
  EXPECT_THAT(lines, Not(Contains(StartsWith("30,0.1"))));
  // The warning precedes the rows that it is about.
  const auto resumed = std::ranges::find(
      lines, "# resumed after step 20 on cpu, " + std::to_string(exec::availableThreads()) +
                 (exec::availableThreads() == 1 ? " thread" : " threads"));
  ASSERT_NE(resumed, lines.end());
  EXPECT_THAT(*(resumed + 1), StartsWith("# WRONG ON PURPOSE"));
}

TEST_F(Program, AResumedRunKeepsItsState) {
  ASSERT_TRUE(completes(run_ + "--steps 20 --checkpoint " + checkpoint_));
  EXPECT_TRUE(refuses("run --resume " + checkpoint_ + " --set seed=7 --backend cpu --steps 5",
                      {"'seed' determines the initial state"}));
}

TEST_F(Program, AveragesOverEquilibrationSaySo) {
  EXPECT_TRUE(
      completes(run_ + "--seconds 0.2 --discard 900000000 --csv " + csv_, {"not in equilibrium"}));
  EXPECT_THAT(linesOf(csv_),
              Contains("# average: the run ended before the steps of --discard were complete"));
}

TEST_F(Program, ScenariosComeFromPipesWithMarksAndForeignLineEnds) {
  std::ofstream(file("a.toml")) << "\xef\xbb\xbfmode = \"hard_disks\"\r\n[parameters]\r\nn = 16\r\n"
                                   "packing = 0.2\r\n";
  EXPECT_TRUE(completes("run " + file("a.toml") + " --backend cpu --steps 1"));
  EXPECT_EQ(shell("cat " + file("a.toml") +
                  " | " CELLSCOPE_PROGRAM " run /dev/stdin --backend cpu --steps 1")
                .code,
            0);
  EXPECT_TRUE(refuses("run " + put("empty.toml", "") + " --backend cpu --steps 1",
                      {"empty.toml:1: mode: is missing; write"}));
}

// What never ends, or never begins, is given up with the reason.
TEST_F(Program, EndlessInputsAreRefused) {
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    EXPECT_TRUE(
        ended(shell("ulimit -v 4000000; " CELLSCOPE_PROGRAM " run " + arguments), 2, {why}));
  };
  refused("/dev/zero", "cannot read '/dev/zero': it holds more than 1 MiB");
  refused("--resume /dev/zero", "cannot read '/dev/zero': it is not a regular file");
  const std::string pipe = file("pipe"), sparse = file("sparse.toml");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  refused("--resume " + pipe, "it is not a regular file");
  EXPECT_TRUE(refuses("check-lists " + file("none.npz"), {"none.npz': No such file or directory"}));
  std::ofstream(sparse) << "#";
  fs::resize_file(sparse, std::uintmax_t{1} << 40);
  refused(sparse, "it holds more than 1 MiB");
  refused("--resume " + sparse, "do not fit into memory");
}

TEST_F(Program, OneSignalEndsTheWaitForAPipe) {
  const std::string pipe = file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string name : {"TERM", "INT"}) {
    EXPECT_TRUE(ended(here("run " + pipe, signalledOnce(kWaits, name)), 1,
                      {"reading '" + pipe + "' was interrupted"}));
  }
  EXPECT_TRUE(ended(shell("(sleep 0.3; cat " + put("a.toml", kSixteenDisks) + " > " + pipe +
                          ") & " CELLSCOPE_PROGRAM " run " + pipe + " --backend cpu --steps 1"),
                    0))
      << "a writer that comes late";
}

TEST(Terminal, LinesFitNarrowOnes) {
  const std::vector<std::string> lines = {"a long line of words", "shorter", "short"};
  EXPECT_EQ(common::fitting(lines, 0), lines[0]);
  EXPECT_EQ(common::fitting(lines, 21), lines[0]);
  EXPECT_EQ(common::fitting(lines, 20), lines[1]);
  EXPECT_EQ(common::fitting(lines, 4), "sho");
}

}  // namespace
}  // namespace cellscope::test
