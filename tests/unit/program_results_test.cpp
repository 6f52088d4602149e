// Results as other programs and people find them: readers, pipes, names, full disks.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "app/common/terminal.h"
#include "sim/io/text_lines.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::Contains, testing::HasSubstr, testing::StartsWith;

// The two lines of `cellscope help formats`, taken from there.
class HelpReader : public Program, public testing::WithParamInterface<const char*> {};
TEST_P(HelpReader, OpensTheTimeSeries) {
  const std::string module = GetParam();
  const std::string help = io::readFile(CELLSCOPE_SOURCE_DIR "/assets/help/formats.txt");
  std::smatch line;
  ASSERT_TRUE(std::regex_search(help, line, std::regex("\n    (" + module + "\\.[^\n]*)")));
  if (shell("/usr/bin/python3 -c 'import " + module + "'").code != 0)
    GTEST_SKIP() << "python3-" << module << " is not installed";
  ASSERT_TRUE(completes(run_ + "--steps 50 --csv " + file("run.csv")));
  std::ofstream(file("read.py")) << "import " << module << "\na = " << line[1] << R"(
assert list(a['step']) == [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50], a['step']
assert (a['acceptance'][1:] > 0).all()  # nothing was tried at step 0
)";
  EXPECT_TRUE(ended(shell("cd " + folder_.string() + " && /usr/bin/python3 read.py"), 0));
}
INSTANTIATE_TEST_SUITE_P(Program, HelpReader, testing::Values("pandas", "numpy"),
                         [](const auto& module) { return std::string(module.param); });

// Pressure from free paths is off: beside measured averages that is not a lack of samples.
TEST_F(Program, WhatIsNotMeasuredIsSaidToBe) {
  const Result some = cellscope(run_ + "--steps 5 --set free_paths=false");
  EXPECT_THAT(some.output, HasSubstr("(1 sample since step 0)"));
  EXPECT_THAT(some.output,
              HasSubstr("not measured: acceptance_d, pressure_paths (cellscope list hard_disks"));
  const Result none = cellscope(run_ + "--steps 1");
  EXPECT_THAT(none.output, HasSubstr("no samples since step 0; one is taken every 5 sweeps"));
  EXPECT_EQ(none.output.find("pressure_paths"), none.output.npos);
}

// The row of step 0 is there before a step is made, and in no average; the run is the same with it.
TEST_F(Program, TheTimeSeriesBeginsWithTheStateOfStepZero) {
  for (const char* scenario : {"dilute --set n=64", "argon --set n=108", "gcmc_dilute"}) {
    const std::string base =
        std::string("run ") + scenario + " --backend cpu --threads 1 --sample-every 5 ";
    ASSERT_TRUE(completes(base + "--steps 10 --csv " + csv_ + " --overwrite --trajectory " + xyz_,
                          {"(2 samples since step 0"}))
        << scenario;
    std::vector<std::string> steps;
    for (const std::string& row : seriesRows(csv_)) steps.push_back(row.substr(0, row.find(',')));
    EXPECT_EQ(steps, (std::vector<std::string>{"step", "0", "5", "10"})) << scenario;
    ASSERT_TRUE(completes(base + "--steps 10 --overwrite --trajectory " + file("b.xyz")));
    EXPECT_EQ(io::readFile(xyz_), io::readFile(file("b.xyz"))) << scenario;
  }
}

// What is printed is the mean of the rows that it names: without equilibration, or after --discard.
TEST_F(Program, AveragesAreOfTheRowsTheyName) {
  for (const std::string discard : {"", " --discard 200"}) {
    const Result r = cellscope(
        "run hexatic --set n=400 --set packing=0.5 --backend cpu --sample-every 2 --steps 4000 "
        "--overwrite --csv " +
        csv_ + discard);
    ASSERT_EQ(r.code, 0) << r.output;
    const std::vector<std::string> lines = linesOf(csv_);
    const std::regex words(
        R"(# average psi6_global = (\S+) \+- \S+ \((\d+) samples (from|since) step (\d+).*)");
    std::smatch average;
    const auto found = std::ranges::find_if(
        lines, [&](const std::string& line) { return std::regex_match(line, average, words); });
    ASSERT_NE(found, lines.end());
    EXPECT_THAT(r.output, HasSubstr(found->substr(10)));
    const bool from = average[3] == "from";
    const double first = std::stod(average[4]);
    EXPECT_EQ(from, discard.empty()) << *found;
    EXPECT_THAT(lines, Contains(StartsWith("# rule of averages: ")));
    EXPECT_THAT(lines, Contains(StartsWith(from ? "# averages begin at step " + average[4].str()
                                                : "# averages begin after step 200")));
    double sum = 0;
    int count = 0;
    std::size_t column = 0;
    for (const std::string& row : seriesRows(csv_)) {
      std::vector<std::string> cells;
      std::istringstream in(row);
      for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
      if (cells[0] == "step") {
        column = static_cast<std::size_t>(std::ranges::find(cells, "psi6_global") - cells.begin());
      } else if (const double step = std::stod(cells[0]); from ? step >= first : step > first) {
        sum += std::stod(cells[column]);
        ++count;
      }
    }
    EXPECT_EQ(count, std::stoi(average[2]));
    EXPECT_NEAR(sum / count, std::stod(average[1]),
                0.51 * std::pow(10, -static_cast<double>(average[1].str().size() -
                                                         average[1].str().find('.') - 1)));
  }
}

TEST_F(Program, AResultOnStandardOutputStandsAlone) {
  const Result r = shell(CELLSCOPE_PROGRAM " " + run_ + "--steps 20 --csv /dev/stdout 2>" +
                         file("messages") + " | cat");
  for (std::size_t at = 0, end; at < r.output.size(); at = end + 1) {
    end = r.output.find('\n', at);
    const std::string line = r.output.substr(at, end - at);
    EXPECT_TRUE(line[0] == '#' || line.find(',') != line.npos) << line;
  }
  EXPECT_THAT(linesOf(file("messages")), Contains(StartsWith("cellscope ")));
  EXPECT_THAT(linesOf(file("messages")), Contains(StartsWith("20 sweeps in")));
}

TEST_F(Program, ADashIsNoFile) {
  for (const char* option : {"--csv -", "--trajectory -", "--picture -", "--resume -"})
    EXPECT_TRUE(ended(here(run_ + option), 2, {"use /dev/stdout"}));
  EXPECT_FALSE(fs::exists(file("-")));
}

TEST_F(Program, CopiesOfAConfigurationAreAskedForAndLogged) {
  const std::string one = file("one.xyz");
  ASSERT_TRUE(completes(run_ + "--steps 20 --trajectory " + one));
  const std::string load = run_ + "--steps 20 --load-configuration " + one;
  ASSERT_TRUE(completes(load + " --replicate 3 --csv " + file("c.csv")));
  EXPECT_THAT(linesOf(file("c.csv")),
              Contains(StartsWith("# configuration: " + one + "; 3 copies along every axis")));
  EXPECT_TRUE(refuses(run_ + "--steps 20 --replicate 1", {"name one with --load-configuration"}));
  EXPECT_TRUE(refuses(load + " --replicate 0"));
}

// Whoever gets the picture sees that it is wrong, whatever it shows.
TEST_F(Program, PicturesOfExperimentsHaveARedFrame) {
  const std::string options = "--steps 20 --picture-size 64x64 --picture ";
  ASSERT_TRUE(completes(run_ + options + file("right.png")));
  ASSERT_TRUE(completes(run_ + "--set no_particle_shuffle=true " + options + file("wrong.png")));
  render::Metadata rightNotes, wrongNotes;
  const render::Image a = readPng(file("right.png"), &rightNotes);
  const render::Image b = readPng(file("wrong.png"), &wrongNotes);
  EXPECT_TRUE(b.rgb[0] > 200 && b.rgb[1] < 100 && b.rgb[2] < 100);
  EXPECT_FALSE(a.rgb[0] > 200 && a.rgb[1] < 100 && a.rgb[2] < 100);
  const auto warnings = [](const render::Metadata& notes) {
    return std::ranges::count_if(notes, [](const auto& note) { return note.first == "Warning"; });
  };
  EXPECT_EQ(warnings(rightNotes), 0);
  EXPECT_EQ(warnings(wrongNotes), 1);
}

// Frames go where --sink says; where they cannot, the run is kept and the way out is named.
TEST_F(Program, SinksAreForcedByAnOption) {
  EXPECT_TRUE(refuses(run_ + "--steps 5 --sink host --picture " + file("a.png")));
  EXPECT_TRUE(refuses(run_ + "--steps 5 --sink copy"));  // no picture, no sink
  const std::string picture = run_ + "--steps 5 --picture-size 64x64 --picture " + file("a.png");
  EXPECT_TRUE(completes(picture + " --sink copy"));
  const Result forced = cellscope(picture + " --checkpoint " + file("a.cp") + " --sink interop");
  if (forced.code != 0) {
    EXPECT_TRUE(ended(forced, 1, {"interop is not possible", "--sink copy never"}));
    EXPECT_TRUE(fs::exists(file("a.cp")));
  }
  EXPECT_TRUE(has(cellscope("bench --list --sink copy"), "draw/100^2"));
  const Result host = cellscope("bench --list --sink host");
  EXPECT_TRUE(has(host, "frame/256^2") && !has(host, "draw/")) << host.output;
}

// File names are bytes and may hold line ends; what is written is UTF-8, or other programs stop at
// it, and time series and trajectories keep their lines.
TEST_F(Program, NamesMayHoldAnyBytes) {
  for (const auto& [name, shown] :
       {std::pair("two\nlines\rof it", "two lines of it"), {"caf\xe9", "caf\xef\xbf\xbd"}}) {
    const std::string own = file(std::string(name) + ".toml");
    fs::copy_file(CELLSCOPE_SOURCE_DIR "/assets/scenarios/four_disks.toml", own);
    ASSERT_TRUE(completes("run '" + own + "' --backend cpu --steps 20 --overwrite --csv " + csv_ +
                          " --trajectory " + xyz_));
    EXPECT_EQ(linesOf(csv_)[1], std::string("# scenario: ") + shown);
    EXPECT_THAT(linesOf(csv_)[2], StartsWith("# mode: "));
    EXPECT_EQ(linesOf(xyz_).size(), 6u);
    EXPECT_THAT(linesOf(xyz_)[1], HasSubstr(std::string("Scenario=\"") + shown + "\""));
  }
  // A checkpoint names the configuration that its run began with.
  const std::string latin = file("caf\xe9.xyz");
  fs::rename(xyz_, latin);
  ASSERT_TRUE(completes("run dilute --backend cpu --steps 5 --load-configuration " + latin +
                        " --checkpoint " + checkpoint_));
  EXPECT_TRUE(completes("run --resume " + checkpoint_ + " --backend cpu --steps 5"));
}

TEST(Text, OnlyUtf8IsLeft) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(io::validUtf8("Ünï – \xf0\x9f\x94\xb5"), "Ünï – \xf0\x9f\x94\xb5");
  EXPECT_EQ(io::validUtf8("caf\xe9"), "caf" + bad);
  EXPECT_EQ(io::validUtf8("\xc3"), bad);
  EXPECT_EQ(io::validUtf8("\xc0\xaf"), bad + bad);            // overlong
  EXPECT_EQ(io::validUtf8("\xed\xa0\x80"), bad + bad + bad);  // surrogate
  EXPECT_EQ(io::validUtf8("\xf5\x80\x80\x80"), bad + bad + bad + bad);
}

TEST(Terminal, CommandsCanBePastedIntoAShell) {
  for (const std::string name : {"a.checkpoint", "two words", "it's", "$HOME", "Ü;x", ""}) {
    EXPECT_EQ(shell("printf %s " + common::forShell(name)).output, name);
  }
  EXPECT_EQ(common::forShell("results/a-1.checkpoint"), "results/a-1.checkpoint");
}

// What a full disk swallowed is named when the run goes on, and said once when it happens.
TEST_F(Program, MissingRowsAreNamed) {
  ASSERT_TRUE(completes(run_ + "--steps 50 --csv " + csv_ + " --checkpoint " + checkpoint_));
  std::string text = io::readFile(csv_);
  std::ofstream(csv_) << text.substr(0, text.find("\n40,") + 9);
  EXPECT_TRUE(completes("run --resume " + checkpoint_ + " --backend cpu --steps 10 --csv " + csv_,
                        {"the samples after step 35, up to step 50, are missing"}));
  EXPECT_THAT(linesOf(csv_),
              Contains("# the samples after step 35, up to step 50, are missing here"));
  const Result r = cellscope(run_ + "--steps 9000 --csv /dev/full --checkpoint " + checkpoint_);
  EXPECT_TRUE(ended(r, 1, {"No space left"}));
  EXPECT_EQ(r.output.find("No space left"), r.output.rfind("No space left")) << r.output;
  EXPECT_TRUE(completes("bench --list --csv " + csv_));
  EXPECT_THAT(linesOf(csv_)[0], StartsWith("# cellscope")) << "naming the cases overwrites nothing";
}

// The limit on the size of files stands for a full disk: the older checkpoint is kept.
TEST_F(Program, ACheckpointThatDoesNotFitLeavesTheOlderOne) {
  ASSERT_TRUE(completes(run_ + "--steps 20 --checkpoint " + checkpoint_));
  const std::string before = io::readFile(checkpoint_);
  const Result r =
      shell("cd " + folder_.string() + "; ulimit -f 1; TMPDIR=. " +
            CELLSCOPE_PROGRAM " run dilute --backend cpu --steps 5 --overwrite --checkpoint " +
            checkpoint_);
  EXPECT_TRUE(ended(
      r, 1, {"cannot write '" + checkpoint_ + "': File too large", "; the older file is kept"}));
  EXPECT_EQ(io::readFile(checkpoint_), before);
}

TEST_F(Program, WhatIsWrongInAListedFileIsNotTheModes) {
  const std::string bad = put("bad.toml", "mode = \"hard_disks\"\n[parameters]\npackign = 0.7\n");
  const Result r = cellscope("list " + bad);
  EXPECT_TRUE(ended(r, 2, {bad + ":3", "did you mean 'packing'"}));
  EXPECT_FALSE(has(r, "modes:")) << r.output;
}

TEST_F(Program, ABrokenFileInTheGalleryDoesNotHideTheOthers) {
  fs::copy(CELLSCOPE_SOURCE_DIR "/assets", folder_ / "assets", fs::copy_options::recursive);
  const std::string broken = file("assets/scenarios/dilute.toml");
  std::ofstream(broken) << "title = [";
  const std::string program = "CELLSCOPE_ASSETS=" + file("assets") + " " CELLSCOPE_PROGRAM;
  EXPECT_TRUE(ended(shell(program + " list"), 2, {broken, "hexatic  ", "Modes"}));
  EXPECT_EQ(shell(program + " list hexatic").code, 0);
}

}  // namespace
}  // namespace cellscope::test
