// Colours of a terminal, and signals that wake a sleeping loop.
#include "app/common/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "tests/support/patience.h"

namespace cellscope::common {
namespace {

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
