// A sleeping loop is woken by signals.
#include "app/common/ending.h"
#include "tests/support/patience.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace cellscope::common {
namespace {

TEST(InterruptGuard, EverySignalWakesAndNothingElse) {
  std::atomic<int> woken{0};
  {
    InterruptGuard guard;
    guard.onSignal([&] { ++woken; });
    guard.onSignal([&] { woken += 100; });  // instead of the one before
    EXPECT_EQ(woken, 0);
    ::raise(SIGUSR1);
    for (test::Patience patience; woken == 0 && !patience.over();)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(woken, 100);
    EXPECT_TRUE(guard.raised());
    guard.onSignal({});
    ::raise(SIGUSR1);
  }
  EXPECT_EQ(woken, 100);
}

}  // namespace
}  // namespace cellscope::common
