// How the studies judge equilibrium: drift between halves, agreement of both starts.
// The studies of grand-canonical speed: small runs of each, with the paper's numbers beside.
#include <filesystem>
#include <fstream>
#include <random>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "sim/io/files.h"
#include "tests/support/message_of.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

// `samples` values with standard deviation 1 and the correlation `memory` from one to the next,
// that rise by `rise` from the middle on. An earlier epoch holds nonsense.
ObservableSeries seriesWith(int samples, double memory, double rise, std::uint64_t seed) {
  SampleHistory history({{"pressure", "", "", "", "", ""}});
  for (int k = 0; k < 500; ++k) history.add(static_cast<std::uint64_t>(k), {1000.0});
  history.startEpoch(500);
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  double x = normal(generator);
  for (int k = 0; k < samples; ++k) {
    x = memory * x + std::sqrt(1 - memory * memory) * normal(generator);
    history.add(500 + static_cast<std::uint64_t>(k), {9 + x + (k >= samples / 2 ? rise : 0.0)});
  }
  return history.series()[0];
}

// Student's t of 15 degrees of freedom over 1.196: mean square 15 / 13 / 1.196^2 = 0.81, which 240
// runs tell to 0.083, and 0.27 % beyond kAllowed, 0.65 of 240. False alarm: 1.5e-5 (10,000 series
// resampled).
TEST(Equilibrium, DriftIsAStandardDeviateWithoutATrend) {
  double squares = 0;
  int beyond = 0;
  constexpr int kRuns = 240;
  for (int k = 0; k < kRuns; ++k) {
    const double drift = driftOf(seriesWith(20000, 0.9, 0, static_cast<std::uint64_t>(k)));
    beyond += std::abs(drift) > kAllowed;
    squares += drift * drift;
  }
  EXPECT_LE(beyond, 6);
  EXPECT_GT(squares / kRuns, 0.45);
  EXPECT_LT(squares / kRuns, 1.25);
}

TEST(Equilibrium, DriftFindsATrendAndItsSign) {
  EXPECT_GT(driftOf(seriesWith(20000, 0.9, 0.5, 1)), kAllowed);
  EXPECT_LT(driftOf(seriesWith(20000, 0.9, -0.5, 2)), -kAllowed);
  EXPECT_EQ(driftOf(seriesWith(10, 0, 5, 3)), 0);  // too short to tell
  EXPECT_GT(driftOf(seriesWith(128, 0, 3, 4)), kAllowed);
}

RunSummary run(double pressure, double error, double drift = 0) {
  return {100, 100, {pressure, error}, {pressure + 0.001, 3 * error}, drift};
}

// Right after averages started over, the history holds only points of earlier ones.
TEST(Equilibrium, ThereIsNoDriftWithoutPoints) {
  ObservableSeries s;
  for (int i = 1; i <= 100; ++i) {
    s.step.push_back(10 * i), s.mean.push_back(i), s.value.push_back(i), s.error.push_back(1);
  }
  s.samples = 100;
  s.epochStart = 1005;
  EXPECT_EQ(driftOf(s), 0);
  s.epochStart = 995;
  EXPECT_EQ(driftOf(s), 0);
}

TEST(Equilibrium, StartsMustAgreeAndNothingMayDrift) {
  const StateResult good = resultOf({run(9.18, 0.01)}, {run(9.16, 0.02)});
  EXPECT_TRUE(good.equilibrated);
  EXPECT_NEAR(good.pressure.value, (9.18 * 4 + 9.16) / 5, 1e-12);
  EXPECT_NEAR(good.pressure.error, 0.02 / std::sqrt(5), 1e-12);
  EXPECT_NEAR(good.contact.value, good.pressure.value + 0.001, 1e-12);
  EXPECT_NEAR(good.contact.error, 3 * good.pressure.error, 1e-12);
  EXPECT_FALSE(resultOf({run(9.28, 0.01)}, {run(9.16, 0.02)}).equilibrated);
  EXPECT_FALSE(resultOf({run(9.18, 0.01, -4)}, {run(9.16, 0.02)}).equilibrated);
  EXPECT_FALSE(resultOf({run(9.18, 0.01)}, {}).equilibrated);
  RunSummary few = run(9.18, 0.01);
  few.samples = 10;
  EXPECT_FALSE(resultOf({few}, {run(9.16, 0.02)}).equilibrated);
  EXPECT_EQ(resultOf({}, {}).sweeps, 0u);
  EXPECT_FALSE(resultOf({}, {}).equilibrated);
  EXPECT_FALSE(resultOf({run(9.18, std::nan(""))}, {run(9.16, 0.02)}).equilibrated);
}

// Independent runs that scatter more than their own errors say count with the scatter.
TEST(Equilibrium, ScatterOfSeedsCounts) {
  const StateResult r = resultOf({run(9.1, 0.001), run(9.3, 0.001)}, {});
  EXPECT_NEAR(r.fluid.value, 9.2, 1e-12);
  EXPECT_NEAR(r.fluid.error, 0.1, 1e-12);
  EXPECT_NEAR(resultOf({run(9.2, 0.03), run(9.2, 0.04)}, {}).fluid.error, 0.025, 1e-12);
}

// Begun as two phases, no second start brackets a state: it can only be at rest.
TEST(Equilibrium, OneStartCanSettleButNotProveEquilibrium) {
  const StateResult r = resultOf({}, {}, {run(9.18, 0.03), run(9.18, 0.04)});
  EXPECT_TRUE(r.atRest);
  EXPECT_FALSE(r.equilibrated);
  EXPECT_NEAR(r.pressure.value, 9.18, 1e-12);
  EXPECT_NEAR(r.pressure.error, 0.025, 1e-12);
  EXPECT_NEAR(r.contact.error, 0.075, 1e-12);
  EXPECT_EQ(r.sweeps, 100u);
  EXPECT_FALSE(resultOf({}, {}, {run(9.18, 0.03, 4)}).atRest);
  EXPECT_FALSE(resultOf({run(9.18, 0.01)}, {run(9.16, 0.02)}).atRest) << "that is equilibrated";
  for (const bool twoPhases : {false, true}) {
    const auto columns = columnsOfState(twoPhases), cells = cellsOf(r, twoPhases);
    ASSERT_EQ(columns.size(), cells.size());
    const auto column = std::find(columns.begin(), columns.end(), "P*");
    EXPECT_EQ(cells[static_cast<std::size_t>(column - columns.begin())], "9.180(25)") << twoPhases;
  }
  EXPECT_EQ(columnsOfState(true)[0], "P* from two phases");
  EXPECT_EQ(cellsOf(r, true)[0], "9.180(25)");
}

// Two states whose starts are equally far from equilibrium, but weighted differently.
TEST(Equilibrium, DifferencesAreTakenStartByStart) {
  const StateResult a = resultOf({run(9.301, 0.003)}, {run(9.101, 0.001)});
  const StateResult b = resultOf({run(9.300, 0.004)}, {run(9.100, 0.008)});
  EXPECT_NEAR(difference(a, b).value, 0.001, 1e-12);
  const double w1 = 1 / 25.0, w2 = 1 / 65.0;  // in units of 1e-3
  EXPECT_NEAR(difference(a, b).error, 1e-3 / std::sqrt(w1 + w2), 1e-12);
  EXPECT_NEAR(difference(resultOf({run(9.301, 0.003)}, {}), b).error, 0.005, 1e-12);
  const StateResult c = resultOf({}, {}, {run(9.2, 0.003)}),
                    d = resultOf({}, {}, {run(9.1, 0.004)});
  EXPECT_NEAR(difference(c, d).value, 0.1, 1e-12);
  EXPECT_NEAR(difference(c, d).error, 0.005, 1e-12);
  EXPECT_TRUE(
      std::isnan(difference(resultOf({run(9, 0.1)}, {}), resultOf({}, {run(9, 0.1)})).value));
}

TEST(Equilibrium, NumbersPrintTwoDigitsOfTheirError) {
  EXPECT_EQ(compact(9.17079, 0.00052), "9.17079(52)");
  EXPECT_EQ(compact(30.31, 3.8), "30.3(38)");
  EXPECT_EQ(compact(19417.2, 253.1), "19417(253)");
  EXPECT_EQ(compact(std::nan(""), 1), "-");
  EXPECT_EQ(compact(-0.00004, 0.0021), "0.0000(21)") << "a zero has no sign";
  EXPECT_EQ(compact(-0.0, 0), "0");
  EXPECT_EQ(compact(-0.0012, 0.0021), "-0.0012(21)");
  EXPECT_EQ(signedText(-0.04), "0.0");
  EXPECT_EQ(signedText(0.04), "0.0");
  EXPECT_EQ(signedText(-1.26), "-1.3");
  EXPECT_EQ(signedText(1.26), "+1.3");
  EXPECT_EQ(signedText(std::nan("")), "-");
}

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
