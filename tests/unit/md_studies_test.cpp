// Studies of molecular dynamics at small size, on the CPU: they run, and their tables hold what can
// be known beforehand.
#include <cstdlib>

#include "app/reproduce/md/md_study.h"
#include "sim/modes/md/start.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"

namespace cellscope::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Runs the study and reads its table.
Rows tableOf(const std::string& name,
             const std::vector<std::pair<std::string, std::string>>& options) {
  const std::string folder = testing::TempDir() + "studies";
  std::filesystem::create_directories(folder);
  Rows table;
  EXPECT_EQ(runStudy(studyNamed(name, options), folder, 1), 0) << name;
  for (const std::string& line : linesOf(folder + "/" + name + ".csv"))
    if (!line.empty() && line[0] != '#') table.push_back(cellsOf(line));
  std::filesystem::remove_all(folder);
  return table;
}

double numberIn(const Rows& t, std::size_t row, std::size_t column) {
  return std::atof(t.at(row).at(column).c_str());
}

TEST(MdStudies, BinaryMixture) {
  const Rows t = tableOf("binary-mixture", {{"particles", "2000"},
                                            {"fractions", "0.1"},
                                            {"cutoffs", "3,6"},
                                            {"melting", "100"},
                                            {"repeats", "1"}});
  ASSERT_EQ(t.size(), 3u);  // with the head
  for (std::size_t row = 1; row <= 2; ++row) {
    for (std::size_t column = 2; column <= 4; ++column) EXPECT_GT(numberIn(t, row, column), 0);
    EXPECT_NEAR(numberIn(t, row, 5) * numberIn(t, row, 3), numberIn(t, row, 2),
                0.03 * numberIn(t, row, 2));
    for (const std::size_t column : {11u, 12u, 13u}) EXPECT_GT(numberIn(t, row, column), 0);
  }
}

TEST(MdStudies, RefusesACutoffThatDoesNotFit) {
  const auto study = studyNamed("binary-mixture", {{"particles", "2000"}, {"cutoffs", "3,18"}});
  const auto run = [&] { runStudy(study, testing::TempDir(), 1); };
  expectWords(messageOf<InputError>(run), {"--cutoffs 18"});
}

TEST(MdStudies, AllPairsAndCells) {
  const Rows pairs = tableOf("all-pairs", {{"sizes", "256,500"}, {"repeats", "1"}});
  ASSERT_EQ(pairs.size(), 3u);
  for (const std::size_t row : {1u, 2u})
    for (const std::size_t column : {1u, 2u, 3u, 6u, 7u, 8u})
      EXPECT_GT(numberIn(pairs, row, column), 0) << pairs[0].at(column);
  const Rows cells =
      tableOf("cell-lists", {{"sizes", "500"}, {"densities", "0.5"}, {"steps", "2"}});
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[1].at(2), "3");  // floor(10 / 2.8) cells along a side
  // 27 cells; both numbers have three digits.
  EXPECT_NEAR(numberIn(cells, 1, 7) * 27e-9, numberIn(cells, 1, 4), 0.011 * numberIn(cells, 1, 4));
}

// What stands for a CPU core makes the same steps as the engine in double precision: every pair
// once, by a double loop and by cells (here 3 and 4 along a side).
TEST(MdStudies, PlainCoreIsMolecularDynamics) {
  for (const std::int64_t n : {500, 1000}) {
    const double length = std::cbrt(static_cast<double>(n) / 0.8442);
    const MdState start{cubicBox(length), md::startLattice(n, length),
                        md::maxwellVelocities(n, 1.4, 1)};
    const auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
    PairSettings settings;
    settings.kernel = PairKernel::teamsDouble;
    engine->setPair(settings);
    engine->upload(start);
    engine->forces();
    engine->run(0.004, 0, 30, {});
    const MdTotals t = engine->totals();
    for (const auto pairs : {reproduce::PlainPairs::all, reproduce::PlainPairs::cells}) {
      reproduce::PlainCore core(start, pairs);
      for (int k = 0; k < 30; ++k) core.step(0.004);
      // Of sums of n 54 / 2 pairs in double, whose order differs; 30 steps amplify them little.
      EXPECT_NEAR(core.energy(), t.kinetic + t.potential, 1e-9 * static_cast<double>(n));
    }
  }
  const MdState small{cubicBox(7), md::startLattice(108, 7), md::maxwellVelocities(108, 1, 1)};
  EXPECT_THROW(reproduce::PlainCore(small, reproduce::PlainPairs::cells), InputError);
}

// The same numbers three ways, and a table row for each count.
TEST(MdStudies, RandomNumbers) {
  const Rows t = tableOf("rand48", {{"counts", "10240,20480"}, {"repeats", "1"}});
  ASSERT_EQ(t.size(), 3u);
  for (std::size_t row = 1; row <= 2; ++row) EXPECT_EQ(t[row].back(), "yes");
  EXPECT_EQ(t[0][7], "CPU threads in use over library");
}

// Sizes for a GPU are not those of a CPU; what is asked for stays.
TEST(MdStudies, AreSmallOnACpuByDefault) {
  reproduce::Study study = studyNamed("colloids", {{"share", "0.5"}});
  reproduce::contextOf(study, ".", 1, ExecConfig{Backend::cuda, 1, 0});
  EXPECT_EQ(study.options.at("steps").text(), "25000");
  reproduce::contextOf(study, ".", 1, ExecConfig{Backend::cpu, 1, 0});
  EXPECT_EQ(study.options.at("steps").text(), "100");
  EXPECT_EQ(study.options.at("diameters").text(), "5");
  EXPECT_EQ(study.options.at("share").text(), "0.5");
}

// The number of solvent particles left per colloid is that of Rows 1: 317 and 123. Here colloids
// keep 0.6 sigma apart, so that the shells around them overlap less than in the paper, and a few
// per cent less solvent is left where they are crowded.
TEST(MdStudies, ColloidsOfTable1) {
  const Rows t = tableOf("colloids", {{"diameters", "5"},
                                      {"share", "0.05"},
                                      {"equilibration", "20"},
                                      {"steps", "5"},
                                      {"repeats", "1"}});
  ASSERT_EQ(t.size(), 3u);
  EXPECT_EQ(numberIn(t, 1, 2), 25);
  EXPECT_NEAR(numberIn(t, 1, 3) / numberIn(t, 1, 2), 158517.0 / 500, 0.02 * 317);
  EXPECT_NEAR(numberIn(t, 2, 3) / numberIn(t, 2, 2), 123267.0 / 1000, 0.05 * 123);
  for (std::size_t row = 1; row <= 2; ++row)
    for (const std::size_t column : {9u, 10u, 12u, 14u}) EXPECT_GT(numberIn(t, row, column), 0);
}

}  // namespace
}  // namespace cellscope::test
