// Threads that compute beside a window leave the processor to those that draw it.
#include "sim/exec/machine.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace cellscope::exec {
namespace {

int niceness() { return ::getpriority(PRIO_PROCESS, 0); }

TEST(ThreadPriority, LowerPriorityIsThatOfTheThreadAndOfThoseItStarts) {
  const int before = niceness();
  int own = -100, child = -100;
  std::thread([&] {
    lowerThreadPriority();
    own = niceness();
    std::thread([&] { child = niceness(); }).join();
  }).join();
  EXPECT_EQ(own, std::min(before + 10, 19));
  EXPECT_EQ(child, own);
  EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace cellscope::exec
