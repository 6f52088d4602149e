// Runs that are killed in the middle and resumed: their files are those of a run that was not.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <regex>
#include <set>

#include "sim/run/csv_log.h"
#include "tests/support/modes.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

class Resumed : public Program {
 protected:
  static std::uint64_t stepOf(const std::string& checkpoint) {
    return Session::resume(checkpoint, ExecConfig{})->step();
  }
  // Starts the program, and kills it when rows after its next checkpoint are in the file. A copy of
  // that checkpoint stays in `copy`.
  void killAfterCheckpoint(const std::string& arguments, const std::string& copy) {
    const std::string alive = "sleep 0.05; kill -0 $p || exit 9; done; ";
    const Result r = shell(
        "cd " + folder_.string() + "; touch begun; sleep 0.02; " CELLSCOPE_PROGRAM " " + arguments +
        " --checkpoint " + checkpoint_ + " --checkpoint-every 1 & p=$!; while ! [ " + checkpoint_ +
        " -nt begun ]; do " + alive + "cp " + checkpoint_ + " " + copy + "; s=$(stat -c %s " +
        csv_ + "); while [ $(stat -c %s " + csv_ + ") -le $s ]; do " + alive +
        "sleep 0.2; kill -KILL $p; wait $p");
    ASSERT_NE(r.code, 9) << r.output;
  }
  // Steps of the rows; one that the end of the program tore is none.
  std::vector<std::uint64_t> rows() const {
    std::vector<std::uint64_t> steps;
    std::istringstream in(io::readFile(csv_));
    for (std::string line; std::getline(in, line) && !in.eof();)
      if (std::isdigit(line[0])) steps.push_back(std::stoull(line));
    return steps;
  }
  std::uint64_t lastRow() const { return rows().empty() ? 0 : rows().back(); }
  std::uint64_t rowsUpTo(std::uint64_t step) const {
    const auto steps = rows();
    return static_cast<std::uint64_t>(
        std::count_if(steps.begin(), steps.end(), [&](std::uint64_t s) { return s <= step; }));
  }
  // The one line that tells of the interruption is left out; no column of a row differs.
  static std::string withoutResumed(const std::string& path) {
    return std::regex_replace(io::readFile(path), std::regex("# resumed after step [^\n]*\n"), "");
  }
  // The time series so far is, but for the interruption, that of one run with these arguments.
  void expectSeriesOfOneRun(const std::string& arguments) {
    const std::string csv = withoutResumed(csv_);
    ASSERT_TRUE(completes(arguments + outputs() + " --overwrite"));
    EXPECT_TRUE(csv == io::readFile(csv_)) << csv_;
  }
  // And so are the frames.
  void expectFilesOfOneRun(const std::string& arguments) {
    const std::string xyz = io::readFile(xyz_);
    expectSeriesOfOneRun(arguments);
    EXPECT_TRUE(xyz == io::readFile(xyz_)) << xyz_;
  }
  std::string outputs() const { return " --backend cpu --csv " + csv_ + " --trajectory " + xyz_; }

  // Killed twice: the files are cut to a checkpoint that was replaced since, then to the newest.
  void expectTheFilesOfOneRun(const std::string& start, std::uint64_t sampleEvery,
                              std::uint64_t frameEvery) {
    const std::string copy = file("copy.checkpoint");
    const std::string frames = " --trajectory-every " + std::to_string(frameEvery);
    killAfterCheckpoint("run " + start + outputs() + frames + " --steps 2000000000", copy);
    const std::uint64_t first = stepOf(copy);
    ASSERT_GT(lastRow(), first) << "no rows after the checkpoint: nothing to cut";
    EXPECT_EQ(rowsUpTo(stepOf(checkpoint_)), stepOf(checkpoint_) / sampleEvery + 1)
        << "the checkpoint knows of rows that are not in the file";
    const std::string second = "run --resume " + copy + outputs() + frames;
    killAfterCheckpoint(second + " --steps 2000000000", file("other.checkpoint"));
    const std::uint64_t from = stepOf(checkpoint_),
                        end = std::max(lastRow(), from) + 3 * frameEvery;
    ASSERT_GT(from, first);
    ASSERT_TRUE(completes("run --resume " + checkpoint_ + outputs() + frames + " --steps " +
                          std::to_string(end - from)));
    expectFilesOfOneRun("run " + start + frames + " --steps " + std::to_string(end));
  }
};

TEST_F(Resumed, KilledHardDisksLeaveTheFilesOfOneRun) {
  expectTheFilesOfOneRun("hexatic --set n=400 --set packing=0.6 --sample-every 50", 50, 200);
}

TEST_F(Resumed, KilledMoleculesLeaveTheFilesOfOneRun) {
  expectTheFilesOfOneRun("lj_all_pairs --set n=108 --threads 1 --sample-every 50", 50, 200);
}

// Each frame has the box of its moment.
TEST_F(Resumed, KilledAtConstantPressureLeaveTheFilesOfOneRun) {
  expectTheFilesOfOneRun(
      "constant_pressure --set n=256 barostat_interval=7 --threads 1 --sample-every 50", 50, 200);
  std::set<std::string> boxes;
  std::size_t frames = 0;
  for (const std::string& line : linesOf(xyz_)) {
    const std::size_t at = line.find("Lattice=\"");
    if (at == std::string::npos) continue;
    boxes.insert(line.substr(at, line.find('"', at + 9) - at));
    ++frames;
  }
  EXPECT_GT(frames, 2u);
  EXPECT_EQ(boxes.size(), frames);
}

// Charts at the end do not show where a run was stopped, checked or saved.
TEST_F(Resumed, ChartsOfReplicasAreThoseOfOneRun) {
  const std::string start =
      "run gcmc_isotherm --set replicas=4 --set length=6 --set moves_per_step=40 --backend cpu "
      "--quiet ";
  ASSERT_TRUE(completes(start + "--steps 403 --checkpoint " + checkpoint_));
  ASSERT_TRUE(completes("run --resume " + checkpoint_ + " --quiet --until 407 --curves " + csv_));
  ASSERT_TRUE(completes(start + "--until 407 --checkpoint-every-steps 400 --checkpoint " +
                        file("whole.checkpoint") + " --curves " + file("whole.csv")));
  const std::string charts = io::readFile(file("whole.csv"));
  EXPECT_TRUE(io::readFile(csv_) == charts);
  EXPECT_NE(charts.find("from ln P(N)"), std::string::npos);
  EXPECT_NE(charts.find("\"replicas"), std::string::npos);
}

// The tuner changes d in step 1024, between two samples and before the checkpoint; the series says
// so where it would have.
TEST_F(Resumed, ChangesByTheTunerAreToldOnce) {
  const std::string start =
      "run hexatic --set n=200 --set packing=0.5 --set tune=true "
      "--sample-every 1000 --quiet";
  ASSERT_TRUE(completes(start + outputs() + " --steps 500 --checkpoint " + checkpoint_));
  shell("sed -i '/^# average/d; /^# changed/d' " + csv_);  // as if it had been killed
  ASSERT_EQ(cellscope("run --resume " + checkpoint_ + outputs() + " --steps 1500 --quiet").code, 0);
  expectSeriesOfOneRun(start + " --steps 2000");
  for (const char* found : {": d = ", ": tune = false"})
    EXPECT_NE(io::readFile(csv_).find(found), std::string::npos) << found;
}

TEST_F(Resumed, UntilIsOneGoalForAllParts) {
  const std::string goal = " --until 70 --discard 20 --checkpoint " + checkpoint_;
  ASSERT_TRUE(
      completes("run four_disks --steps 30 --discard 20 --checkpoint " + checkpoint_ + outputs()));
  shell("sed -i '/^# average/d' " + csv_ + "; rm " + xyz_);  // as if it had been killed
  const std::string again =
      "run --resume " + checkpoint_ + outputs() + " --until 70 --checkpoint " + checkpoint_;
  EXPECT_TRUE(completes(again, {"Resuming after step 30\n", "40 sweeps in"}));
  expectSeriesOfOneRun("run four_disks" + goal);
  EXPECT_TRUE(completes(again, {"Step 70 is complete: nothing left to run"}));
  EXPECT_EQ(stepOf(checkpoint_), 70u);
  EXPECT_TRUE(refuses("run four_disks --until 20 --discard 20"));
}

// Stopped by Ctrl-C in the middle, at no multiple of anything, and resumed: no frame and no
// averages of the end of the first part are left. Nor does the number of threads matter.
TEST_F(Resumed, AStoppedRunLeavesTheFilesOfOneRun) {
  for (const std::string every : {"", " --trajectory-every 500"}) {
    const std::string start = "run hexatic --set n=200 --set packing=0.5 --sample-every 50 --quiet";
    const std::string until = every + " --until 20000";
    for (const std::string& old : {csv_, xyz_, checkpoint_}) fs::remove(old);
    ASSERT_TRUE(ended(here(start + outputs() + until + " --overwrite --checkpoint " + checkpoint_,
                           signalledOnce("grep -qs '^2000,' " + csv_)),
                      85));
    ASSERT_LT(stepOf(checkpoint_), 20000u) << "it was over before it could be stopped";
    EXPECT_NE(io::readFile(csv_).find("# average"), std::string::npos);
    ASSERT_TRUE(
        completes("run --resume " + checkpoint_ + outputs() + until + " --quiet --threads 2"));
    expectFilesOfOneRun(start + until);
  }
}

// In front of the point of resuming, where nothing is computed again.
TEST_F(Resumed, ADamagedTimeSeriesIsRefused) {
  const std::string run = "run four_disks --sample-every 5 --backend cpu --quiet --csv " + csv_;
  ASSERT_TRUE(completes(run + " --steps 100 --checkpoint " + checkpoint_));
  const std::string good = io::readFile(csv_);
  const std::size_t row = good.find("\n40,") + 1, next = good.find('\n', row) + 1;
  const std::string line = std::to_string(
      std::count(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(row), '\n') + 1);
  const auto resume = [&](const std::string& text) {
    std::ofstream(csv_, std::ios::binary) << text;
    const Result r =
        cellscope("run --backend cpu --quiet --steps 5 --resume " + checkpoint_ + " --csv " + csv_);
    EXPECT_EQ(io::readFile(csv_) == text, r.code != 0);
    return r;
  };
  const std::string before = good.substr(0, row), after = good.substr(next);
  const std::pair<std::string, std::string> cases[] = {
      {before + after, "line " + line + " has step 45, where step 40 was expected"},
      {before + "4x" + good.substr(row + 2), "line " + line + " is not a row of numbers"},
      {before + "40,1,2\n" + after, "line " + line + " is not a row of numbers"},
      {before + "#" + good.substr(row), "has step 45, where step 40 was expected"},
      {good.substr(0, next) + good.substr(row), "has step 40, where step 45 was expected"}};
  for (const auto& [text, wanted] : cases)
    EXPECT_TRUE(ended(resume(text), 2,
                      {"'" + csv_ + "' is damaged: ", wanted,
                       "restore it from a copy, or use another file for the rest of the run"}));
  EXPECT_EQ(resume(good).code, 0);
  // What was never written is named, and no damage.
  fs::remove(csv_);
  ASSERT_TRUE(completes("run --backend cpu --quiet --steps 20 --resume " + checkpoint_ + " --csv " +
                        csv_ + " --checkpoint " + checkpoint_));
  const Result r =
      cellscope("run --backend cpu --quiet --steps 5 --resume " + checkpoint_ + " --csv " + csv_);
  EXPECT_EQ(r.code, 0) << r.output;
}

// Wherever the end was lost, what is left is what was complete.
TEST_F(Resumed, HalfWrittenEndsAreFoundAtEveryByte) {
  Scenario scenario = shipped("four_disks");
  Session session(scenario, ExecConfig{Backend::cpu, 1});
  const std::string whole = file("whole.xyz"), cut = file("cut.xyz");
  std::vector<std::uint64_t> ends = {0};
  for (int frame = 0; frame < 2; ++frame) {
    session.advance(10);
    const auto out = openTrajectory(whole, io::OpenAs::append);
    appendFrame(*out, session);
    out->close();
    ends.push_back(fs::file_size(whole));
  }
  const std::string text = io::readFile(whole);
  for (std::uint64_t size = 1; size <= text.size(); ++size) {
    std::ofstream(cut) << text.substr(0, size);
    const EarlierPart part = earlierFrames(cut, session);
    const std::uint64_t expected = size < ends[1] ? 0 : size < ends[2] ? ends[1] : ends[2];
    EXPECT_EQ(part.kept, expected) << size;
    EXPECT_EQ(part.torn, size != expected) << size;
    cutLater(cut, part);
    EXPECT_EQ(io::readFile(cut), text.substr(0, expected)) << size;
  }
}

// Only what this run computes again is cut; everything else is refused and stays as it is.
TEST_F(Resumed, FilesOfOtherRunsAreLeftAlone) {
  const std::string early = file("early.checkpoint"), every = " --trajectory-every 10";
  const auto run = [&](const std::string& arguments) {
    return cellscope("run " + arguments + outputs() + every);
  };
  ASSERT_EQ(run("four_disks --sample-every 5 --steps 20 --checkpoint " + early).code, 0);
  ASSERT_EQ(run("--resume " + early + " --steps 30 --checkpoint " + checkpoint_).code, 0);
  const std::string csv = io::readFile(csv_), xyz = io::readFile(xyz_);
  const auto expectRefused = [&](const std::string& arguments, const std::string& wanted) {
    for (const std::string& output : {" --csv " + csv_, " --trajectory " + xyz_})
      EXPECT_TRUE(refuses("run --backend cpu --steps 20 --resume " + arguments + output,
                          {wanted, "use another file"}));
    EXPECT_EQ(io::readFile(csv_), csv);
    EXPECT_EQ(io::readFile(xyz_), xyz);
  };
  expectRefused(early + " --set d=0.2", "continues after step 20 with different parameter changes");
  const std::string other = file("other.checkpoint");
  ASSERT_TRUE(completes(
      "run four_disks --sample-every 5 --set seed=9 --backend cpu --steps 60 --checkpoint " +
      other));
  expectRefused(other, "belongs to another run with a different scenario, seed or parameters");
  // The same with nothing changed removes them, and says how many.
  EXPECT_TRUE(
      ended(run("--resume " + early + " --steps 30"), 0,
            {"'" + csv_ + "': 6 rows after step 20, later than the checkpoint, were removed",
             "'" + xyz_ + "': 3 frames after step 20"}));
  EXPECT_EQ(io::readFile(csv_), csv);
  EXPECT_EQ(io::readFile(xyz_), xyz);
  std::ofstream(file("notes.xyz")) << "12 things to do\n";
  EXPECT_TRUE(refuses("run --backend cpu --steps 1 --resume " + early + " --trajectory " +
                      file("notes.xyz")));
  EXPECT_EQ(linesOf(file("notes.xyz")).size(), 1u);
}

// A file that can be written and not shortened: a sealed one.
TEST_F(Resumed, AFileThatCannotBeCutStaysAsItIs) {
  const std::string early = file("early.checkpoint");
  ASSERT_TRUE(completes("run four_disks --steps 20 --checkpoint " + early + outputs()));
  ASSERT_TRUE(completes("run --resume " + early + " --steps 30" + outputs()));
  const std::string rows = io::readFile(csv_);
  const int fd = memfd_create("rows", MFD_ALLOW_SEALING);
  ASSERT_EQ(write(fd, rows.data(), rows.size()), static_cast<ssize_t>(rows.size()));
  ASSERT_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  const std::string sealed = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
  EXPECT_TRUE(
      ended(cellscope("run --resume " + early + " --backend cpu --steps 30 --csv " + sealed), 1,
            {"cannot shorten '" + sealed + "'", "as it was"}));
  EXPECT_EQ(io::readFile(sealed), rows);
  close(fd);
}

}  // namespace
}  // namespace cellscope::test
