// What this process may use of the machine, and that threads which compute beside a window leave
// the processor to those that draw it.
#include "sim/exec/machine.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "sim/exec/cpu_exec.h"
#include "tests/support/patience.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

using testing::ElementsAre;

// A tree of control groups as in /sys/fs/cgroup.
class ControlGroups : public test::Program {
 protected:
  void put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream(file(name)) << text;
  }
  std::vector<std::string> groups(const std::string& membership) {
    put("membership", membership);
    return exec::controlGroups(file("membership"), file("root"));
  }
};

TEST_F(ControlGroups, AreTheOwnAndAllAbove) {
  EXPECT_THAT(groups("0::/\n"), ElementsAre(file("root")));
  EXPECT_THAT(groups("4:memory:/old\n0::/slurm/job 7\n"),
              ElementsAre(file("root/slurm/job 7"), file("root/slurm"), file("root")));
  EXPECT_THAT(exec::controlGroups(file("nothing"), file("root")), ElementsAre(file("root")));
}

TEST_F(ControlGroups, TheTightestLimitHolds) {
  const auto own = groups("0::/job/step\n");
  EXPECT_EQ(exec::processorQuota(own), 0);
  EXPECT_EQ(exec::memoryLeft(own), std::numeric_limits<std::size_t>::max());
  put("root/job/step/cpu.max", "max 100000\n");
  put("root/job/cpu.max", "250000 100000\n");
  EXPECT_EQ(exec::processorQuota(own), 3);
  put("root/cpu.max", "50000 100000\n");
  EXPECT_EQ(exec::processorQuota(own), 1);
  put("root/job/step/memory.max", "max\n");
  put("root/job/memory.max", "1000000\n");
  put("root/job/memory.current", "700000\n");
  EXPECT_EQ(exec::memoryLeft(own), 300000u);
  // Cached files would be given back.
  put("root/job/memory.stat", "anon 5\ninactive_file 60000\nactive_file 40000\n");
  EXPECT_EQ(exec::memoryLeft(own), 400000u);
}

class Threads : public test::Program {};

// As batch systems do it for a job that asked for one of many cores.
TEST_F(Threads, AreThoseThatTheProcessMayUse) {
  EXPECT_GE(exec::availableThreads(), 1);
  EXPECT_LE(exec::availableThreads(), static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_EQ(exec::threadsFor(0), exec::availableThreads());
  EXPECT_EQ(exec::threadsFor(3), 3);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(exec::availableThreads(), 1);
  const test::Result r = test::cellscope("run four_disks --backend cpu --steps 5");
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_TRUE(has(r, "four_disks, 4 particles, cpu, 1 thread\n")) << r.output;
}

// More than there are processors, too: each part waits until all of them are at work at once.
TEST_F(Threads, AreAsManyAsWereAskedFor) {
  const int wanted = static_cast<int>(std::thread::hardware_concurrency()) + 5;
  for (const int threads : {wanted, wanted + 3}) {
    exec::CpuExec exec(threads);
    std::atomic<int> atWork{0};
    std::atomic<bool> missed{false};  // some were never there; ends the wait
    exec.forRanges("test", static_cast<std::size_t>(threads), 1, [&](std::size_t, std::size_t) {
      ++atWork;
      for (test::Patience patience(60); atWork < threads && !missed; missed = patience.over())
        std::this_thread::yield();
    });
    EXPECT_FALSE(missed) << "fewer than " << threads << " threads";
  }
  const test::Result r =
      test::cellscope("run dilute --set n=4096 --backend cpu --steps 20 --quiet --threads " +
                      std::to_string(wanted));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.output, "");
}

TEST_F(Threads, OfADeviceThatIsAbsentNothingStarts) {
  if (test::cellscope("info").output.find("cuda device 0") == std::string::npos)
    GTEST_SKIP() << "this machine has no GPU";
  EXPECT_TRUE(test::refuses("run four_disks --backend cuda --device 63 --steps 1",
                            {"--device 63: no such CUDA device; allowed: 0 to "}));
}

int niceness() { return ::getpriority(PRIO_PROCESS, 0); }

TEST(ThreadPriority, LowerPriorityIsThatOfTheThreadAndOfThoseItStarts) {
  const int before = niceness();
  int own = -100, child = -100;
  std::thread([&] {
    exec::lowerThreadPriority();
    own = niceness();
    std::thread([&] { child = niceness(); }).join();
  }).join();
  EXPECT_EQ(own, std::min(before + 10, 19));
  EXPECT_EQ(child, own);
  EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace cellscope
