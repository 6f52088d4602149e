// Experiments as one line of text: written, read back, and opened by the program. Colours of a
// terminal, and signals that wake a sleeping loop. Texts of errors.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "sim/base/build.h"
#include "tests/support/modes.h"
#include "tests/support/patience.h"

namespace cellscope::common {
namespace {

TEST(ExperimentLine, ReadsBackWhatItWrites) {
  ExperimentLine line{.scenario = "/home/a user's/my scenario.toml",
                      .configuration = "state 1.xyz",
                      .settings = {"packing=0.71", "seed=3", "start=two phases"},
                      .madeWith = "1.2.3"};
  for (const std::string before : {"", "cellscope run ", "cellscope window ", "run ", "  \n"}) {
    line.replicate = line.replicate == 2 ? 3 : 2;
    const ExperimentLine read = parseExperimentLine(before + textOf(line) + "\n");
    EXPECT_EQ(read.scenario, line.scenario);
    EXPECT_EQ(read.configuration, line.configuration);
    EXPECT_EQ(read.replicate, line.replicate);
    EXPECT_EQ(read.settings, line.settings);
    EXPECT_EQ(read.madeWith, "1.2.3");
  }
  const ExperimentLine resumed{.resume = "/tmp/c.checkpoint", .settings = {"seed=1"}};
  EXPECT_EQ(textOf(resumed), "--resume /tmp/c.checkpoint --set seed=1");
  EXPECT_EQ(parseExperimentLine(textOf(resumed)).resume, "/tmp/c.checkpoint");
}

TEST(ExperimentLine, WhatIsNoLineIsRefusedWithTheReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},
      {"  \n ", "empty"},
      {"--set a=1", "neither a scenario nor a checkpoint"},
      {"hexatic --resume c", "both"},
      {"hexatic --steps 10", "--steps is not part"},
      {"hexatic solid", "'solid' follows"},
      {"hexatic --set", "--set has no value"},
      {"'hexatic", "no closing one"},
      {"hexatic --replicate two", "--replicate two"}};
  for (const auto& [text, why] : cases) {
    SCOPED_TRACE(text);
    test::expectRefusal([&] { parseExperimentLine(text); }, {why});
  }
}

TEST(ExperimentLine, IsToldFromAPath) {
  EXPECT_TRUE(isExperimentLine("hexatic --set packing=0.7"));
  EXPECT_TRUE(isExperimentLine("--resume c.checkpoint"));
  EXPECT_FALSE(isExperimentLine("/home/me/hexatic.toml"));
  EXPECT_FALSE(isExperimentLine("my-state.xyz"));
}

TEST(ExperimentLine, AnotherVersionIsNamed) {
  EXPECT_EQ(versionNote(programVersion()), "");
  EXPECT_EQ(versionNote(""), "");
  EXPECT_NE(versionNote("0.0.1").find("0.0.1"), std::string::npos);
}

// A checkpoint stands for its scenario, as a picture does.
TEST(ExperimentLine, ACheckpointIsOpenedAsAScenario) {
  const std::string path = testing::TempDir() + "/line.state";  // whatever its name
  Scenario s = test::shipped("four_disks");
  Session session(s, ExecConfig{Backend::cpu, 1, 0});
  session.set("d", 0.2);
  session.advanceTo(3);
  session.save(path);
  const Scenario opened = openScenario(path);
  EXPECT_EQ(opened.name, "four_disks");
  EXPECT_EQ(opened.mode, "hard_disks");
}

TEST(Terminal, WarningsAreRedWhereColoursAreShown) {
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0)
    GTEST_SKIP() << "no pseudoterminal can be had here";
  const int screen = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(screen, 0);
  EXPECT_EQ(inRed("wrong", screen), "\x1b[1;31mwrong\x1b[0m");
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(inRed("wrong", screen), "wrong");
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_EQ(inRed("wrong", screen), "wrong");
  ::setenv("TERM", "xterm", 1);
  const int file = ::open("/dev/null", O_WRONLY);
  EXPECT_EQ(inRed("wrong", file), "wrong");
  for (const int descriptor : {terminal, screen, file}) ::close(descriptor);
}

// What a title or the name of a file holds must not act on the terminal.
TEST(Terminal, ControlCharactersAreShownAndDoNotAct) {
  EXPECT_EQ(printable("a\x1b[31mred\x07\r\n\tb\x7f"), "a\\x1b[31mred\\x07\\x0d\n\tb\\x7f");
  EXPECT_EQ(printable("P\u00e9clet \u2264 \U0001f600"), "P\u00e9clet \u2264 \U0001f600");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b"
            "31m")
      << "CSI as one character";
  EXPECT_EQ(printable("\x9b"
                      "31m\xff\xc3"),
            "\\x9b"
            "31m\\xff\\xc3")
      << "no UTF-8";
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut short";
}

TEST(InterruptGuard, EverySignalWakesAndNothingElse) {
  std::atomic<int> woken{0};
  {
    InterruptGuard guard;
    guard.onSignal([&] { ++woken; });
    guard.onSignal([&] { woken += 100; });  // instead of the one before
    EXPECT_EQ(woken, 0);
    ::raise(SIGUSR1);
    test::until([&] { return woken != 0; });
    EXPECT_EQ(woken, 100);
    EXPECT_TRUE(guard.raised());
    guard.onSignal({});
    ::raise(SIGUSR1);
  }
  EXPECT_EQ(woken, 100);
}

}  // namespace
}  // namespace cellscope::common

namespace cellscope {
namespace {

TEST(ErrorText, AloneIsTakenAsItIs) {
  EXPECT_STREQ(InputError("a {} b }{").what(), "a {} b }{");
  EXPECT_STREQ(RunError(std::string("{0}")).what(), "{0}");
}

TEST(ErrorText, WithValuesIsAFormat) {
  EXPECT_STREQ(InputError("n = {}: allowed: {{1, {:g}}}", 3, 2.5).what(),
               "n = 3: allowed: {1, 2.5}");
}

}  // namespace
}  // namespace cellscope
