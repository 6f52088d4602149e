// The program with one system on several domains: the files of a run are those of one domain, also
// when it is killed and goes on with another number of them; what is impossible is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "sim/io/files.h"
#include "sim/run/session.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

// Open MPI starts no more processes than there are cores, and none as root, unless it is told to.
const std::string kMpirun =
    "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_rmaps_base_oversubscribe=1 mpirun -n ";

struct DomainRuns : Program {
  const std::string disks_ =
      "hexatic --backend cpu --threads 2 --sample-every 10 --set n=900 packing=0.7 "
      "start=hexagonal ";
  // Of the state at `until`, of a new run or from a checkpoint on; `before`: of the command.
  std::string crcAt(const std::string& until, const std::string& arguments,
                    const std::string& before = "", const char* key = "final_state_crc64") {
    EXPECT_TRUE(ended(shell(before + CELLSCOPE_PROGRAM " run --quiet --overwrite --result " +
                            file("r.json") + " --until " + until + " " + arguments),
                      0));
    return nlohmann::json::parse(io::readFile(file("r.json")))[key].dump();
  }
  // And the time series.
  std::string runOfDisks(const std::string& arguments, const std::string& before = "") {
    std::string all = crcAt("200", disks_ + "--csv " + csv_ + " " + arguments, before);
    for (const std::string& row : seriesRows(csv_)) all += row + "\n";
    return all;
  }
  // The checkpoint at `until`.
  std::string checkpointAt(const std::string& until, const std::string& arguments,
                           const std::string& before = "") {
    crcAt(until, arguments + " --checkpoint " + file("c.checkpoint"), before);
    return io::readFile(file("c.checkpoint"));
  }
  void expectTheSameInProcesses(const std::string& until, const std::string& run,
                                const std::vector<std::string>& processes,
                                const std::string& inTwo) {
    const std::string one = checkpointAt(until, run);
    for (const std::string& n : processes)
      EXPECT_TRUE(checkpointAt(until, run, kMpirun + n + " ") == one) << run << ": " << n;
    EXPECT_TRUE(checkpointAt(until, run + inTwo, kMpirun + "2 ") == one) << run << inTwo;
  }
  std::string configurationOf(const std::string& arguments, const std::string& before = "") {
    return crcAt("150", "argon --backend cpu --threads 2 --set n=1500 kernel=exact " + arguments,
                 before, "configuration_hash");
  }
};

struct Processes : DomainRuns {
  void SetUp() override {
    DomainRuns::SetUp();
    if (cellscope("info").output.find("mpi: none") != std::string::npos)
      GTEST_SKIP() << "this build has no MPI";
    if (shell("command -v mpirun").code != 0) GTEST_SKIP() << "there is no mpirun";
  }
};

// Of the other modes: GcmcDomains and MdDomains.
TEST_F(DomainRuns, AreThoseOfOneDomain) {
  const std::string one = runOfDisks("");
  for (const char* other :
       {"--domains 2", "--domains 3", "--domains 4", "--domains 3 --through-host"})
    EXPECT_EQ(runOfDisks(other), one) << other;
  EXPECT_THAT(cellscope("run " + disks_ + "--steps 1 --domains 3").output,
              HasSubstr("3 domains on threads, exchange in memory"));
}

TEST_F(DomainRuns, OfExactForcesAreTheSameForAllMethodsToo) {
  const std::string one = configurationOf("");
  EXPECT_EQ(one.size(), 18u);
  EXPECT_NE(configurationOf("seed=2"), one);
  for (const char* other : {"method=stencils", "method=tree", "method=clusters", "lanes=8",
                            "search=paper", "buffer=0.5 --domains 3"})
    EXPECT_EQ(configurationOf(other), one) << other;
  EXPECT_EQ(configurationOf("", "CELLSCOPE_ISA=sse2 "), one);
}

TEST_F(DomainRuns, GoOnAfterAKillWithAnotherNumber) {
  const std::string checkpoint = file("c.checkpoint");
  const Result killed =
      shell(CELLSCOPE_PROGRAM " run " + disks_ +
            "--quiet --steps 2000000000 --domains 3 --checkpoint " + checkpoint +
            " --checkpoint-every-steps 100" + signalledOnce("[ -e " + checkpoint + " ]", "KILL"));
  ASSERT_NE(killed.code, 9) << killed.output;
  const auto step = Session::resume(checkpoint, ExecConfig{})->step();
  ASSERT_GE(step, 100u);
  const std::string until = std::to_string(step + 150), whole = crcAt(until, disks_);
  EXPECT_EQ(crcAt(until, "--backend cpu --resume " + checkpoint + " --domains 2"), whole);
  EXPECT_EQ(crcAt(until, "--backend cpu --resume " + checkpoint), whole);
}

// Twelve layers, the least for four domains, and thirteen or fourteen: uneven cuts; with the tail
// correction, which needs the number of all in every turn.
TEST_F(Processes, OfACheckerboardAreThoseOfOne) {
  const std::string board =
      "gcmc_board --backend cpu --threads 2 --set cutoff=2.5 tail=true moves_per_step=9000 "
      "length=12 length_z=";
  for (const char* length : {"30.2", "36.1"})
    expectTheSameInProcesses("12", board + length, {"1", "2", "3", "4"},
                             " --domains 2 --through-host");
  const Result refused =
      shell(kMpirun + "2 " CELLSCOPE_PROGRAM " run gcmc_liquid --backend cpu --steps 1");
  EXPECT_TRUE(ended(refused, 2, {"--gpus and mpirun"}));
}

// A barostat and a bath exchange what all have at other times than a plain run does.
TEST_F(Processes, OfALiquidAreThoseOfOne) {
  const std::string liquid = "argon --backend cpu --threads 2 --sample-every 20 --set n=1500";
  for (const char* more :
       {"", " method=tree thermostat=langevin",
        " method=stencils thermostat=bussi barostat=cell_rescaling barostat_time=1"})
    expectTheSameInProcesses("150", liquid + more, {"2", "3", "4"}, " --domains 2");
  EXPECT_THAT(shell(kMpirun + "2 " CELLSCOPE_PROGRAM " run argon --backend cpu --steps 1").output,
              HasSubstr("2 domains in 2 processes, exchange by MPI"));
}

TEST_F(Processes, OfDisksAreThoseOfOne) {
  const std::string one = runOfDisks("");
  for (const char* processes : {"1", "2", "3", "4"})
    EXPECT_EQ(runOfDisks("", kMpirun + processes + " "), one) << processes;
  EXPECT_EQ(runOfDisks("--domains 2 --through-host", kMpirun + "2 "), one);
  EXPECT_THAT(shell(kMpirun + "3 " CELLSCOPE_PROGRAM " run " + disks_ + "--steps 1").output,
              HasSubstr("3 domains in 3 processes, exchange by MPI"));
  EXPECT_TRUE(ended(shell(kMpirun + "2 " CELLSCOPE_PROGRAM " " + run_ + "--steps 1"), 2,
                    {"2 domains: each needs 6 rows of cells"}));
}

// The last child of mpirun is not the process that reads and writes.
TEST_F(Processes, EndWhenOneDiesAndGoOn) {
  const std::string checkpoint = file("c.checkpoint");
  const std::string board = "gcmc_board --backend cpu --threads 2 --set moves_per_step=9000 ";
  const std::string liquid = "argon --backend cpu --threads 2 --set n=1500 ";
  for (const std::string& run : {disks_, board, liquid}) {
    std::remove(checkpoint.c_str());
    ASSERT_TRUE(ended(shell(kMpirun + "3 " CELLSCOPE_PROGRAM " run " + run +
                            "--quiet --steps 2000000000 --checkpoint " + checkpoint +
                            " --checkpoint-every-steps 100 & p=$!; until [ -e " + checkpoint +
                            " ]; do sleep 0.02; kill -0 $p || exit 9; done; "
                            "kill -KILL $(pgrep -P $p | tail -1); wait $p; test $? -ne 0"),
                      0));
    const auto step = Session::resume(checkpoint, ExecConfig{})->step();
    const std::string until = std::to_string(step + 50);
    EXPECT_EQ(crcAt(until, "--backend cpu --resume " + checkpoint), crcAt(until, run)) << run;
  }
}

TEST_F(DomainRuns, RefuseWhatIsImpossible) {
  EXPECT_TRUE(refuses("run " + disks_ + "--steps 1 --domains 9",
                      {"9 domains: each needs 6 rows of cells"}));
  EXPECT_TRUE(refuses(run_ + "--steps 1 --domains 2", {"allowed: 1"}));
  EXPECT_TRUE(
      refuses("run " + disks_ + "--steps 1 --domains 0", {"allowed: whole number 1 to 1024"}));
  EXPECT_TRUE(refuses("run " + disks_ + "--steps 1 --gpus 2", {"--gpus 2: this runs on the CPU"}));
  EXPECT_TRUE(refuses("run gcmc_liquid --backend cpu --steps 1 --domains 2",
                      {"choose method = checkerboard"}));
  EXPECT_TRUE(refuses("run gcmc_board --backend cpu --steps 1 --domains 99",
                      {"each needs 3 layers of cells"}));
}

}  // namespace
}  // namespace cellscope::test
