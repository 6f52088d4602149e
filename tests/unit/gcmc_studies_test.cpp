// The studies of grand-canonical speed: small runs of each, with the paper's numbers beside.
#include <filesystem>
#include <fstream>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "tests/support/message_of.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

using Chosen = std::vector<std::pair<std::string, std::string>>;

struct Result {
  int code = 0;
  std::vector<std::vector<std::string>> rows;  // of NAME.csv, without its head
  std::string report;                          // NAME.md
};

Result resultOf(const std::string& name, const Chosen& options, double minutes = 0.005) {
  const std::string folder = testing::TempDir() + name;
  std::filesystem::remove_all(folder);
  Result r;
  r.code = test::runStudy(test::studyNamed(name, options), folder, minutes);
  std::ifstream file(folder + "/" + name + ".csv");
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) r.rows.push_back(test::cellsOf(line));
  r.report = io::readFile(folder + "/" + name + ".md");
  std::filesystem::remove_all(folder);
  return r;
}

// Emulated blocks tell nothing about a GPU.
void expectEmulated(const Result& r) { test::expectWords(r.report, {"emulated"}); }

void expectRatio(const std::string& ratio, const std::string& slow, const std::string& fast) {
  const double expected = std::stod(slow) / std::stod(fast);
  EXPECT_GT(std::stod(slow), 0);
  EXPECT_NEAR(std::stod(ratio), expected, 0.01 * expected);
}

TEST(GcmcStudies, TimesOfTheSerialChainStandBesideTable1) {
  const Result r = resultOf("gcmc_serial", {{"particles", "512,600"}, {"moves", "1000"}});
  EXPECT_EQ(r.code, 0);
  expectEmulated(r);
  const auto& rows = r.rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][0], "512");
  expectRatio(rows[0][3], rows[0][1], rows[0][2]);
  EXPECT_EQ(rows[0][4], "2.8");
  EXPECT_EQ(rows[0][5], "22.3");
  EXPECT_EQ(rows[0][6], "0.126");
  EXPECT_EQ(rows[1][4], "-") << "nothing published for 600";
}

// Sizes of which a few moves take all the time there is: every row is there, and the report says
// what was cut short. A million moves of the three would take a quarter of an hour.
TEST(GcmcStudies, AllSizesAreDoneInTime) {
  const Result r = resultOf("gcmc_serial", {{"particles", "512,8192,65536"}}, 0.01);
  EXPECT_EQ(r.code, 0);
  test::expectWords(r.report, {"| 512 ", "| 8192 ", "| 65536 ", "Shortened to end in time",
                               "at N = 65", "melted by a part of 7 moves per particle"});
}

TEST(GcmcStudies, MappingsStandBesideTable3AndNoneIsTheFastestOnACpu) {
  const Result r = resultOf("gcmc_mappings", {{"particles", "1024"}, {"moves", "300"}});
  EXPECT_EQ(r.code, 0);
  expectEmulated(r);
  EXPECT_EQ(r.report.find("| fastest"), std::string::npos);
  ASSERT_EQ(r.rows.size(), 1u);
  ASSERT_EQ(r.rows[0].size(), 9u);
  test::expectWords(r.rows[0][2], {"(0.77)"});
  test::expectWords(r.rows[0][7], {"(0.46)"});
  test::expectWords(r.rows[0][8], {"(-)"});  // 1x1x27 is not in the table
}

// Each time is the median of rounds that alternate between the methods.
TEST(GcmcStudies, TimesAreMediansOfInterleavedRounds) {
  ChainTimer timer({".", 10, {Backend::cpu, 1, 0}, "", ""}, 1, 500);
  timer.begin({512, 0.67, 2.5});
  const std::vector<Timed> times = timer.time({{.method = "serial_cells"}, {.method = "serial"}});
  ASSERT_EQ(times.size(), 2u);
  for (const Timed& t : times) {
    EXPECT_GT(t.seconds, 0);
    EXPECT_GE(t.spread, 0);
    EXPECT_EQ(t.moves, 500u) << "five rounds of a hundred moves";
  }
}

TEST(GcmcStudies, MethodsAgainstSize) {
  const Result r = resultOf("gcmc_sizes", {{"particles", "512"}, {"moves", "300"}});
  EXPECT_EQ(r.code, 0);
  expectEmulated(r);
  const auto& rows = r.rows;
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_EQ(rows[0].size(), 14u);
  for (int k = 0; k < 3; ++k) expectRatio(rows[0][6 + k], rows[0][1 + k], rows[0][4]);
  EXPECT_EQ(rows[0][9], "22.3") << "Table 1";
  EXPECT_EQ(rows[0][10], "-") << "Table 3 begins at 1024";
  EXPECT_EQ(rows[0][11], "8 to 28; up to 19");
  EXPECT_EQ(rows[0][12], "over 4; 2 to 4");
  EXPECT_EQ(rows[0][13], "1.1 to 1.25; 1.2 to 1.43");
}

// The text on Figures 8 and 9 gives no numbers: the ranges of Figures 6 and 7 are of cutoff 2.5.
TEST(GcmcStudies, MethodsAgainstCutoff) {
  const Result r = resultOf("gcmc_cutoffs",
                            {{"particles", "2000"}, {"cutoffs", "2.5,4.25,5"}, {"moves", "300"}});
  expectEmulated(r);
  EXPECT_EQ(r.report.find("Here: "), std::string::npos) << "leads of emulated blocks";
  ASSERT_EQ(r.rows.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& row = r.rows[k];
    ASSERT_EQ(row.size(), 14u);
    for (int j = 0; j < 3; ++j) {
      expectRatio(row[6 + j], row[1 + j], row[4]);
      EXPECT_EQ(row[11 + j], k < 2 ? "over 1" : "-") << "cutoff " << row[0];
    }
  }
  EXPECT_NE(r.report.find("declines slowly"), std::string::npos);
  EXPECT_EQ(r.report.find("8 to 28"), std::string::npos) << "of Figures 6 and 7";
}

TEST(GcmcStudies, RefuseWhatCannotBe) {
  Study study = test::studyNamed("gcmc_cutoffs");
  EXPECT_THROW(study.options.at("cutoffs").set("0"), InputError);
  EXPECT_THROW(study.options.at("particles").set("1"), InputError);
}

}  // namespace
}  // namespace cellscope::reproduce
