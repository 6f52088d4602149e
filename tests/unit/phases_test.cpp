// Threads. What this process may use of the machine, and that threads which compute beside a window
// leave the processor to those that draw it. Work in phases on the CPU: every part once and in its
// phase, whatever number of threads comes; early end, errors.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/resource.h>
#include <tbb/global_control.h>

#include <limits>

#include "sim/exec/cpu_exec.h"
#include "sim/exec/machine.h"
#include "tests/support/message_of.h"
#include "tests/support/patience.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::ElementsAre;

// A tree of control groups as in /sys/fs/cgroup.
class ControlGroups : public Program {
 protected:
  std::vector<std::string> groups(const std::string& membership) {
    return exec::controlGroups(put("membership", membership), file("root"));
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

class Threads : public Program {};

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
  const Result r = cellscope("run four_disks --backend cpu --steps 5");
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
      for (Patience patience(60); atWork < threads && !missed; missed = patience.over())
        std::this_thread::yield();
    });
    EXPECT_FALSE(missed) << "fewer than " << threads << " threads";
  }
  const Result r = cellscope("run dilute --set n=4096 --backend cpu --steps 20 --quiet --threads " +
                             std::to_string(wanted));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.output, "");
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

// Part i of a phase adds up its own number and its two neighbours' of the phase before: plain
// memory, so that a phase which does not see the one before gives another sum (and a data race).
struct Neighbours {
  std::vector<std::uint64_t> now, next;
  std::vector<int> timesDone;
  std::atomic<int> inHand{0};
  std::size_t finished = 0;
  bool alone = true, eachOnce = true;

  explicit Neighbours(std::size_t parts) : now(parts), next(parts), timesDone(parts) {
    for (std::size_t i = 0; i < parts; ++i) now[i] = i + 1;
  }
  const char* name(std::size_t) const { return "neighbours"; }
  void part(std::size_t, std::size_t i) {
    ++inHand;
    const std::size_t n = now.size();
    next[i] = now[i] + 3 * now[(i + 1) % n] + 5 * now[(i + n - 1) % n];
    ++timesDone[i];
    --inHand;
  }
  bool finish(std::size_t phase) {
    alone = alone && inHand == 0 && phase == finished;
    for (int& times : timesDone) {
      eachOnce = eachOnce && times == 1;
      times = 0;
    }
    std::swap(now, next);
    ++finished;
    return true;
  }
};

std::vector<std::uint64_t> serial(std::size_t phases, std::size_t parts) {
  Neighbours work(parts);
  for (std::size_t p = 0; p < phases; ++p) {
    for (std::size_t i = 0; i < parts; ++i) work.part(p, i);
    work.finish(p);
  }
  return work.now;
}

void expectAsSerial(int threads, std::size_t phases, std::size_t parts) {
  exec::CpuExec exec(threads);
  Neighbours work(parts);
  exec.phases(phases, parts, work);
  EXPECT_EQ(work.finished, phases);
  EXPECT_TRUE(work.alone);
  EXPECT_TRUE(work.eachOnce);
  EXPECT_EQ(work.now, serial(phases, parts)) << threads << " threads, " << parts << " parts";
  EXPECT_EQ(exec.profile().read().at(0).launches, phases);
}

TEST(Phases, EveryPartOnceAndInItsPhase) {
  for (const int threads : {1, 2, 3, 8})  // 8: more than most test machines have
    for (const std::size_t parts : {1u, 2u, 3u, 8u, 33u}) expectAsSerial(threads, 500, parts);
}

// The barrier alone, on threads whose start and end a thread sanitizer sees.
TEST(Phases, CrewOfPlainThreads) {
  for (const int workers : {2, 3, 5}) {
    Neighbours work(16);
    exec::PhaseCrew<Neighbours> crew(work, 500, 16, workers);
    std::vector<std::thread> others;
    for (int w = 1; w < workers; ++w)
      others.emplace_back([&crew, w] { crew.join(static_cast<std::size_t>(w)); });
    crew.join(0);
    for (std::thread& t : others) t.join();
    EXPECT_TRUE(work.alone);
    EXPECT_TRUE(work.eachOnce);
    EXPECT_EQ(work.now, serial(500, 16));
  }
}

// No worker ever comes to help: the caller does all parts.
TEST(Phases, FewerThreadsThanAskedFor) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  for (const int threads : {2, 8}) expectAsSerial(threads, 200, 16);
}

// Callers of their own that share the pool's few threads.
TEST(Phases, SeveralRegionsAtOnce) {
  std::vector<std::thread> callers;
  for (int k = 0; k < 4; ++k) callers.emplace_back([] { expectAsSerial(4, 300, 16); });
  for (std::thread& t : callers) t.join();
}

TEST(Phases, NothingToDo) {
  exec::CpuExec exec(2);
  Neighbours work(4);
  exec.phases(0, 4, work);
  EXPECT_EQ(work.finished, 0u);
  EXPECT_EQ(work.now, (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

struct LastPhase {
  std::size_t last;  // phase that ends the work
  bool inPart, inFinish;
  std::atomic<std::size_t> parts{0};
  std::size_t finished = 0;

  const char* name(std::size_t) const { return "ending"; }
  void part(std::size_t phase, std::size_t part) {
    ++parts;
    if (inPart && phase == last && part == 3) throw std::runtime_error("part");
  }
  bool finish(std::size_t phase) {
    ++finished;
    if (inFinish && phase == last) throw std::runtime_error("finish");
    return phase < last;
  }
};

TEST(Phases, EndsWhenToldTo) {
  for (const int threads : {1, 2, 3}) {
    exec::CpuExec exec(threads);
    LastPhase work{.last = 4, .inPart = false, .inFinish = false};
    exec.phases(100, 8, work);
    EXPECT_EQ(work.finished, 5u);
    EXPECT_EQ(work.parts, 5u * 8u);
  }
}

TEST(Phases, ErrorsEndTheRegion) {
  for (const int threads : {1, 2, 3})
    for (const bool inPart : {false, true}) {
      exec::CpuExec exec(threads);
      LastPhase work{.last = 4, .inPart = inPart, .inFinish = !inPart};
      EXPECT_EQ(messageOf<std::runtime_error>([&] { exec.phases(100, 8, work); }),
                inPart ? "part" : "finish");
      EXPECT_EQ(work.parts, 5u * 8u);
      EXPECT_EQ(work.finished, inPart ? 4u : 5u);
      Neighbours after(8);  // the threads are fit for more
      exec.phases(10, 8, after);
      EXPECT_EQ(after.now, serial(10, 8));
    }
}

// A thread is held up in its first part: its other parts are done by those that wait.
struct HeldUp {
  std::atomic<bool> othersDone{false};
  std::atomic<int> done{0};
  bool helped = false;

  const char* name(std::size_t) const { return "held up"; }
  void part(std::size_t, std::size_t part) {
    if (part != 0) {
      if (++done == 7) othersDone = true;
      return;
    }
    for (Patience patience; !othersDone && !patience.over();) std::this_thread::yield();
    helped = othersDone;
  }
  bool finish(std::size_t) { return true; }
};

TEST(Phases, WaitingThreadsHelp) {
  if (exec::availableThreads() < 2) GTEST_SKIP() << "one core: no thread can help";
  exec::CpuExec exec(2);
  HeldUp work;
  exec.phases(1, 8, work);
  EXPECT_TRUE(work.helped);
}

}  // namespace
}  // namespace cellscope::test
