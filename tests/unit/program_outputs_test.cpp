// Files that a run writes to: results of an earlier run under their names, and readers or files
// that go away meanwhile.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "sim/io/files.h"
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

}  // namespace
}  // namespace cellscope::test
