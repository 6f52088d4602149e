// Files that a run writes to: results of an earlier run under their names, and readers or files
// that go away meanwhile.
// The program with one system on several domains: the files of a run are those of one domain, also
// when it is killed and goes on with another number of them; what is impossible is refused.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "sim/io/files.h"
#include "sim/run/session.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::AllOf, testing::Contains, testing::HasSubstr, testing::IsEmpty, testing::StartsWith;
using testing::UnorderedElementsAre;

class OlderResults : public Program {
 protected:
  std::string outputs() const {
    return "--csv " + file("a.csv") + " --trajectory " + file("a.xyz") + " --picture " +
           file("a.png") + " --picture-size 64x64 --checkpoint " + file("a.checkpoint") + " ";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_))
      all.push_back(entry.path().filename());
    return all;
  }
  std::string text(const std::string& name) const { return io::readFile(file(name)); }
};

TEST_F(OlderResults, AreKeptUnderOneNumber) {
  ASSERT_TRUE(completes(run_ + "--steps 20 " + outputs()));
  const std::string csv = text("a.csv"), xyz = text("a.xyz"), state = text("a.checkpoint");
  EXPECT_TRUE(completes(run_ + "--steps 30 " + outputs(),
                        {"Older results were renamed: " + csv_ + " is now a.1.csv, ",
                         checkpoint_ + " is now a.1.checkpoint\n"}));
  EXPECT_EQ(text("a.1.csv"), csv);
  EXPECT_EQ(text("a.1.xyz"), xyz);
  EXPECT_EQ(text("a.1.checkpoint"), state);
  EXPECT_THAT(text("a.xyz"), HasSubstr("Step=30"));
  // A number that one of them cannot have is left out for all.
  std::ofstream(file("a.2.xyz")) << "another's";
  ASSERT_TRUE(completes(run_ + "--steps 40 " + outputs()));
  EXPECT_THAT(text("a.3.xyz"), HasSubstr("Step=30"));
  EXPECT_EQ(text("a.2.xyz"), "another's");
  EXPECT_THAT(names(), testing::IsSupersetOf({"a.3.csv", "a.3.png", "a.3.checkpoint"}));
  EXPECT_FALSE(fs::exists(file("a.2.csv")));
}

TEST_F(OlderResults, AreReplacedWhereThatIsAskedFor) {
  for (const char* steps : {"--steps 20 ", "--steps 30 "})
    ASSERT_EQ(cellscope(run_ + steps + "--overwrite " + outputs()).code, 0);
  EXPECT_THAT(names(), UnorderedElementsAre("a.csv", "a.xyz", "a.png", "a.checkpoint"));
  EXPECT_THAT(text("a.xyz"), HasSubstr("Step=30"));
}

TEST_F(OlderResults, OfTheSameRunAreContinued) {
  ASSERT_TRUE(completes(run_ + "--steps 20 " + outputs()));
  EXPECT_TRUE(completes("run --resume " + checkpoint_ + " --steps 20 " + outputs()));
  EXPECT_THAT(names(), UnorderedElementsAre("a.csv", "a.xyz", "a.png", "a.checkpoint"));
  EXPECT_THAT(text("a.csv"), HasSubstr("\n40,"));
}

TEST_F(OlderResults, StayWhereTheyAreWhenNothingStarts) {
  std::ofstream(csv_) << "older";
  EXPECT_TRUE(refuses(run_ + "--set packing=0.99 --csv " + csv_));
  EXPECT_TRUE(refuses(run_ + "--load-configuration nowhere.xyz --csv " + csv_));
  EXPECT_THAT(names(), UnorderedElementsAre("a.csv"));
  EXPECT_EQ(text("a.csv"), "older");
}

TEST_F(OlderResults, BehindALinkAreKeptAndTheLinkStays) {
  fs::create_directory(file("far"));
  for (const char* name : {"a.csv", "a.checkpoint"}) {
    std::ofstream(file("far/") + name) << "older";
    fs::create_symlink(std::string("far/") + name, file(name));
  }
  EXPECT_TRUE(completes(run_ + "--steps 20 --csv " + csv_ + " --checkpoint " + checkpoint_));
  for (const char* name : {"a.csv", "a.checkpoint"}) {
    EXPECT_TRUE(fs::is_symlink(file(name)));
    EXPECT_NE(text(std::string("far/") + name), "older");
  }
  EXPECT_EQ(text("far/a.1.csv"), "older");
  EXPECT_EQ(text("far/a.1.checkpoint"), "older");
}

// The shell truncates the file for >, and appends to it for >>. /dev/stdout is a link here, as it
// is in /dev, and must still be one afterwards.
TEST_F(OlderResults, OfTheShellsOwnAreLeftToIt) {
  const std::string start = CELLSCOPE_PROGRAM " " + run_ + "--steps 20 --quiet ";
  fs::create_symlink("/proc/self/fd/1", file("out"));
  for (const char* sign : {">", ">>"}) {
    std::ofstream(csv_) << "older\n";
    ASSERT_EQ(shell(start + "--csv " + file("out") + sign + csv_).code, 0);
    EXPECT_EQ(linesOf(csv_)[0] == "older", std::string(sign) == ">>");
    EXPECT_THAT(linesOf(csv_).back(), StartsWith("# average"));
  }
  const std::string picture = "--picture-size 64x64 --picture " + file("out");
  ASSERT_EQ(shell(start + picture + ">" + file("a.png")).code, 0);
  EXPECT_EQ(text("a.png").substr(1, 3), "PNG");
  const Result piped = shell(start + picture);
  EXPECT_EQ(piped.code, 0);
  EXPECT_EQ(piped.output.substr(1, 3), "PNG");
  EXPECT_TRUE(fs::is_symlink(file("out")));
  EXPECT_THAT(names(), UnorderedElementsAre("a.csv", "a.png", "out"));
}

// A job that was started twice by mistake.
TEST_F(OlderResults, OfARunThatStillWritesAreLeftToIt) {
  const std::string first =
      "run four_disks --backend cpu --threads 1 --steps 2000000000 --quiet --sample-every 1000 "
      "--csv " +
      csv_ + " --checkpoint " + checkpoint_;
  const std::string second = CELLSCOPE_PROGRAM " " + run_ + "--steps 20 --csv " + csv_;
  const auto both = [&](const std::string& options) {
    return here(
        first, signalledOnce("[ -s " + csv_ + " ]", "TERM", second + options + "; echo code $?; "));
  };
  for (const char* options : {"", " --overwrite"}) {
    EXPECT_TRUE(ended(both(options), 85, {"code 2", "another program is writing there"}));
    EXPECT_THAT(linesOf(csv_), Contains(StartsWith("# average"))) << options;
    EXPECT_THAT(names(), UnorderedElementsAre("a.csv", "a.checkpoint")) << options;
    for (const std::string& name : names()) fs::remove(file(name));
  }
  const std::string study = "reproduce table2 --backend cpu --sides 16 --packings 0.3 --folder " +
                            file("study") + " --minutes ";
  const std::string out =
      here(study + "10 > log 2>&1",
           signalledOnce("[ -s " + file("log") + " ]", "TERM",
                         "sleep 0.3; " CELLSCOPE_PROGRAM " " + study + "0.01; echo code $?; "))
          .output;
  EXPECT_THAT(out, AllOf(HasSubstr("code 2"), HasSubstr("another program is writing there")));
}

// Neither of two runs loses its checkpoint to the other.
TEST_F(OlderResults, ACheckpointBelongsToOneRunAtATime) {
  const std::string lock = checkpoint_ + ".lock";
  const auto during = [&](const std::string& options, const char* signal = "TERM",
                          const std::string& also = "") {
    return here(run_ + "--quiet --steps 2000000000 --checkpoint " + checkpoint_,
                signalledOnce("[ -e " + lock + " ]" + also, signal,
                              CELLSCOPE_PROGRAM " run " + options + "; echo code $?; "));
  };
  for (const char* options : {"", " --overwrite"}) {
    const Result r =
        during("four_disks --backend cpu --steps 20 --checkpoint " + checkpoint_ + options);
    EXPECT_THAT(r.output, AllOf(HasSubstr("code 2"),
                                HasSubstr("cannot write '" + checkpoint_ + "': another program")))
        << options;
    EXPECT_THAT(names(), UnorderedElementsAre("a.checkpoint"));
    fs::remove(checkpoint_);
  }
  ASSERT_TRUE(completes(run_ + "--steps 20 --checkpoint " + checkpoint_));
  const std::string before = text("a.checkpoint");
  Result r = shell("cp " + checkpoint_ + " " + file("b.checkpoint"));
  r = during("--resume " + file("b.checkpoint") + " --steps 5 --checkpoint " + checkpoint_, "KILL",
             " && [ -e " + file("a.1.checkpoint") + " ]");
  EXPECT_THAT(r.output, HasSubstr("code 2"));
  EXPECT_EQ(text("a.1.checkpoint"), before);
  EXPECT_TRUE(fs::exists(lock)) << "left by the run that was killed";
  EXPECT_TRUE(completes(run_ + "--steps 20 --checkpoint " + checkpoint_)) << "no longer in the way";
  EXPECT_FALSE(fs::exists(lock));
}

TEST_F(OlderResults, ThatCannotBeRenamedAreNotReplaced) {
  EXPECT_THAT(io::keepOlder({"", file("absent"), "/dev/null"}), IsEmpty());
  // A name too long for a number.
  const std::string name = file(std::string(251, 'x') + ".csv");
  std::ofstream(name) << "older";
  EXPECT_TRUE(refuses(run_ + "--steps 20 --csv " + name));
  EXPECT_EQ(io::readFile(name), "older");
}

// A reader that is not there, or does not read, is waited for until the first signal.
TEST_F(Program, OneSignalEndsTheWaitForAReader) {
  const std::string pipe = file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string endless =
      "exec " CELLSCOPE_PROGRAM
      " run four_disks --backend cpu --threads 1 --quiet --steps 2000000000 "
      "--overwrite --sample-every 1 --csv " +
      pipe + " --checkpoint " + checkpoint_;
  const std::string waiting = signalledOnce(kWaits, "TERM");
  Result r = shell("(" + endless + ")" + waiting);
  EXPECT_TRUE(ended(r, 1, {"'" + pipe + "': interrupted by a signal while nobody read it"}));
  r = shell("sleep 100 < " + pipe + " & s=$!; (" + endless + ")" + waiting +
            "; c=$?; kill $s; exit $c");
  EXPECT_TRUE(ended(r, 1, {"was saved in " + checkpoint_}));
  EXPECT_TRUE(ended(
      shell(
          "timeout 50 cat " + pipe + " > " + file("got.csv") +
          " & " CELLSCOPE_PROGRAM
          " run four_disks --backend cpu --threads 1 --steps 5000 --sample-every 1 --quiet --csv " +
          pipe + "; c=$?; wait; exit $c"),
      0));
  EXPECT_EQ(seriesRows(file("got.csv")).size(), 5002u) << "the columns, the start and the rows";
}

// What was written to a file that is gone is lost: it is reported, and the state is kept.
TEST_F(Program, AResultThatIsRemovedIsReported) {
  const std::pair<std::string, std::string> cases[] = {
      {"--csv ", csv_}, {"--trajectory-every 100000 --trajectory ", file("a.h5")}};
  for (const auto& [option, path] : cases) {
    fs::remove(checkpoint_);
    const Result r =
        shell(CELLSCOPE_PROGRAM
              " run four_disks --backend cpu --threads 1 --quiet --overwrite --steps 2000000000 "
              "--sample-every 100000 --checkpoint-every 1 --checkpoint " +
              checkpoint_ + " " + option + path + " & p=$!; while ! [ -f " + checkpoint_ +
              " ]; do kill -0 $p || break; sleep 0.05; done; rm " + path + "; wait $p");
    EXPECT_TRUE(ended(
        r, 1, {"'" + path + "' was removed, renamed or replaced", "was saved in " + checkpoint_}));
  }
}

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
