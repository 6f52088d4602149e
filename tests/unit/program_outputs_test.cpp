// Outputs whose reader or file goes away while a run writes to them.
#include <sys/stat.h>

#include <algorithm>

#include "tests/support/program.h"

namespace cellscope {
namespace {

using namespace test;

// A reader that is not there, or does not read, is waited for until the first signal.
TEST_F(Program, OneSignalEndsTheWaitForAReader) {
  const std::string pipe = file("pipe"), state = file("a.checkpoint");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string endless =
      "exec " CELLSCOPE_PROGRAM
      " run four_disks --backend cpu --threads 1 --quiet --steps 2000000000 "
      "--overwrite --sample-every 1 --csv " +
      pipe + " --checkpoint " + state;
  const std::string waiting = signalledOnce(kWaits, "TERM");
  Result r = shell("(" + endless + ")" + waiting);
  EXPECT_TRUE(ended(r, 1, {"'" + pipe + "': interrupted by a signal while nobody read it"}));
  r = shell("sleep 100 < " + pipe + " & s=$!; (" + endless + ")" + waiting +
            "; c=$?; kill $s; exit $c");
  EXPECT_TRUE(ended(r, 1, {"was saved in " + state}));
  EXPECT_TRUE(ended(
      shell(
          "timeout 50 cat " + pipe + " > " + file("got.csv") +
          " & " CELLSCOPE_PROGRAM
          " run four_disks --backend cpu --threads 1 --steps 5000 --sample-every 1 --quiet --csv " +
          pipe + "; c=$?; wait; exit $c"),
      0));
  const std::vector<std::string> lines = linesOf(file("got.csv"));
  EXPECT_EQ(
      std::count_if(lines.begin(), lines.end(), [](const std::string& l) { return l[0] != '#'; }),
      5002)
      << "the columns, the start and the rows";
}

// What was written to a file that is gone is lost: it is reported, and the state is kept.
TEST_F(Program, AResultThatIsRemovedIsReported) {
  const std::string state = file("a.checkpoint");
  const std::pair<std::string, std::string> cases[] = {
      {"--csv ", file("a.csv")}, {"--trajectory-every 100000 --trajectory ", file("a.h5")}};
  for (const auto& [option, path] : cases) {
    fs::remove(state);
    const Result r =
        shell(CELLSCOPE_PROGRAM
              " run four_disks --backend cpu --threads 1 --quiet --overwrite --steps 2000000000 "
              "--sample-every 100000 --checkpoint-every 1 --checkpoint " +
              state + " " + option + path + " & p=$!; while ! [ -f " + state +
              " ]; do kill -0 $p || break; sleep 0.05; done; rm " + path + "; wait $p");
    EXPECT_TRUE(
        ended(r, 1, {"'" + path + "' was removed, renamed or replaced", "was saved in " + state}));
  }
}

}  // namespace
}  // namespace cellscope
