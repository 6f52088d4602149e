// Studies and benchmarks as a person or a script starts them: tables, checkpoints, interruptions.
#include "sim/io/files.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

class StudyRuns : public Program {
 protected:
  // On the CPU, with results in the folder of the test.
  std::string study(const std::string& options) const {
    return "reproduce " + options + " --backend cpu --folder " + folder_.string();
  }
};

// 0, 1 or 3, and the report gives the same code.
void expectStudyCode(const Result& r) {
  EXPECT_TRUE(r.code == 0 || r.code == 1 || r.code == 3) << r.code << "\n" << r.output;
  expectWords(r.output, {"(exit code " + std::to_string(r.code) + ")"});
}

TEST_F(StudyRuns, StudiesWriteResultsAndGoOn) {
  const std::string table = study("table2 --sides 16 --packings 0.3,0.4 --minutes 0.04");
  Result r = cellscope(table);
  expectStudyCode(r);
  expectWords(r.output, {"from the fluid", "from the crystal"});
  EXPECT_FALSE(has(r, "resumes from sweep")) << r.output;
  EXPECT_EQ(linesOf(file("table2.csv")).size(), 3u) << r.output;
  r = cellscope(table + " --start crystal");
  expectWords(r.output, {"resumes from sweep", "16^2 | 0.4 | - | "});
  EXPECT_TRUE(refuses("reproduce table9"));
}

TEST_F(StudyRuns, StudiesAreSharedByTheirSeeds) {
  const std::string table =
      study(
          "table2 --sides 16 --packings 0.3 --start fluid --minutes 0.02 --seeds 2 --together 2") +
      " --first-seed ";
  const Result r = cellscope(table + "5");
  EXPECT_TRUE(has(r, "from the fluid, seed 5") && has(r, "from the fluid, seed 6")) << r.output;
  EXPECT_TRUE(fs::exists(file("table2-16-0.3-random-5.checkpoint")) &&
              fs::exists(file("table2-16-0.3-random-6.checkpoint")));
  EXPECT_FALSE(fs::exists(file("table2-16-0.3-random-1.checkpoint")));
  expectWords(io::readFile(file("table2.md")), {"--first-seed 5"});
  EXPECT_TRUE(refuses(table + "0"));  // the starts have their own random numbers
}

TEST_F(StudyRuns, LargerSizesBeginWithCopiesOfSmallerOnes) {
  const std::string table = study("table2 --packings 0.7 --start crystal --minutes 0.03");
  EXPECT_TRUE(refuses(table + " --sides 16 --grow", {"needs a smaller run"}));
  cellscope(table + " --sides 8");
  const Result r = cellscope(table + " --sides 16,32 --grow");
  expectWords(r.output, {"16^2, packing 0.7, from the crystal, seed 1: starts from 2 x 2 copies of "
                         "table2-8-0.7-hexagonal-1",
                         "starts from 2 x 2 copies of table2-16-0.7-hexagonal-1",
                         "--grow: a run without a checkpoint"});
  EXPECT_EQ(linesOf(file("table2.csv")).size(), 3u) << r.output;
}

// Four combinations of shuffles at every packing fraction that is asked for, published or not.
TEST_F(StudyRuns, Table1TakesAnyPackingFraction) {
  const Result r = cellscope(study("table1 --sides 16 --packings 0.4,0.698 --minutes 0.05"));
  expectStudyCode(r);
  const std::vector<std::string> lines = linesOf(file("table1.csv"));
  ASSERT_EQ(lines.size(), 9u) << r.output;
  const std::string published[] = {"9.170790(50)", "9.17070(10)", "9.17160(10)", "9.17150(10)"};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(lines[k + 1].find(published[k]), std::string::npos) << lines[k + 1];
    EXPECT_NE(lines[k + 5].find(published[k]), std::string::npos) << lines[k + 5];
  }
  expectWords(r.output, {"Published: J. Kolafa and M. Rottner", "n_M = 4"});  // right at 0.4
}

// With another n_M the paper's values without particle shuffle do not hold, those with it do; the
// runs have checkpoints of their own.
TEST_F(StudyRuns, Table1TakesTheMovesPerCell) {
  // From the crystal, which needs no preparation: every run leaves a checkpoint in time.
  const std::string table =
      study("table1 --sides 16 --packings 0.698 --start crystal --minutes 0.03");
  const Result r = cellscope(table + " --moves-per-cell 1");
  EXPECT_EQ(r.code, 3) << "Table 1 has another size\n" << r.output;
  const std::vector<std::string> lines = linesOf(file("table1.csv"));
  ASSERT_EQ(lines.size(), 5u) << r.output;
  EXPECT_NE(lines[2].find("9.17070(10)"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[3].find("9.17160(10)"), std::string::npos) << lines[3];
  expectWords(io::readFile(file("table1.md")), {"--moves-per-cell 1"});
  EXPECT_TRUE(completes("run --backend cpu --steps 1 --resume " +
                        file("table1-16-0.698-p--1-hexagonal-1.checkpoint") + " --csv " +
                        file("m.csv")));
  expectWords(io::readFile(file("m.csv")), {"# parameter n_M = 1\n"});
  EXPECT_FALSE(has(cellscope(table), "resumes from sweep")) << "n_M = 4 starts from step 0";
  EXPECT_TRUE(refuses("reproduce table2 --moves-per-cell 1"));
  EXPECT_TRUE(refuses("reproduce table1 --moves-per-cell 0"));
}

TEST_F(StudyRuns, Table2BeginsWithTwoPhases) {
  const std::string table = study("table2 --start coexistence --sides 32 --minutes 0.05");
  EXPECT_TRUE(ended(cellscope(table + " --packings 0.708"), 3, {"P* from two phases"}))
      << "nothing is published for 32^2";
  EXPECT_TRUE(fs::exists(file("table2-32-0.708-coexistence-1.checkpoint")));
  EXPECT_TRUE(refuses(table + " --packings 0.698", {"0.700 to 0.716"}));
  EXPECT_TRUE(refuses(table + " --packings 0.708 --grow"));
}

// Four runs side by side, ended by a signal long before their time: table, checkpoints, and on.
TEST_F(StudyRuns, StudiesThatAreInterruptedKeepWhatTheyHave) {
  const std::string table =
      study("table2 --sides 16 --packings 0.3,0.4 --together 4") + " --minutes ";
  expectStudyCode(cellscope(table + "0.03"));
  const std::string before = io::readFile(file("table2.csv"));
  // Two seconds of work of its own.
  EXPECT_TRUE(ended(shell(CELLSCOPE_PROGRAM " " + table + "9" +
                          signalledOnce("[ $(cut -d' ' -f14 /proc/$p/stat) -ge 200 ]")),
                    85, {"resumes from sweep", "call again"}));
  const std::string after = io::readFile(file("table2.csv"));
  EXPECT_NE(after, before);
  EXPECT_EQ(linesOf(file("table2.csv")).size(), 3u) << after;
  expectWords(io::readFile(file("table2.md")), {"--together 4"});
  int checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(folder_))
    checkpoints += entry.path().extension() == ".checkpoint";
  EXPECT_EQ(checkpoints, 4);
}

TEST_F(StudyRuns, StudiesOfSmallSystemsRun) {
  EXPECT_TRUE(completes(study("table4 --sides 8,16 --rounds 2 --threads 2 --minutes 0.03"),
                        {"CPU, 2 threads | 16^2"}));
  expectWords(io::readFile(file("table4.md")), {"--sides 8,16 --rounds 2 "});
}

TEST_F(StudyRuns, BenchmarksStateTheirLimit) {
  const std::string results = file("bench.json"), record = file("records");
  const Result r = cellscope("bench --backend cpu --filter memory/256 --json " + results +
                             " --record " + record);
  ASSERT_TRUE(ended(r, 0, {"limit"}));
  EXPECT_NE(io::readFile(results).find("\"case\": \"memory/256^2\""), std::string::npos);
  EXPECT_FALSE(fs::is_empty(record));
  // Not on the lattice that everything starts from: its trial moves are blocked less or more often.
  const std::size_t at = r.output.find("sweeps after a square lattice: acceptance ");
  ASSERT_NE(at, std::string::npos) << r.output;
  EXPECT_GE(std::stoi(r.output.substr(r.output.rfind(' ', at - 2))), 50) << r.output;
  EXPECT_TRUE(refuses("bench --filter no-such-case"));
}

// By mode, each row with its unit and what its limit counts.
TEST_F(StudyRuns, BenchmarksAreListedByMode) {
  const Result r = cellscope("bench --list --backend cpu");
  ASSERT_EQ(r.code, 0) << r.output;
  const std::size_t disks = r.output.find("Mode hard_disks\n"), md = r.output.find("Mode md\n");
  ASSERT_TRUE(disks < md && md != std::string::npos) << r.output;
  const std::size_t rate = r.output.find("trial moves per second (moves/s)");
  EXPECT_TRUE(disks < rate && rate < md) << r.output;
  EXPECT_TRUE(has(r, "limit: 10 instructions per pair") && has(r, "md/4096 all pairs (cpu)"));
  EXPECT_EQ(r.output.find("(cuda)"), std::string::npos);
  EXPECT_FALSE(has(cellscope("bench --list --backend cpu --filter memory/256"), "Mode md"));
}

}  // namespace
}  // namespace cellscope::test
