#include "app/common/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

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

}  // namespace
}  // namespace cellscope::common
