// Work in phases on the CPU: every part once and in its phase, whatever number of threads comes;
// early end, errors.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sim/exec/cpu_exec.h"
#include "tests/support/message_of.h"
#include "tests/support/patience.h"

namespace cellscope {
namespace {

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
      EXPECT_EQ(test::messageOf<std::runtime_error>([&] { exec.phases(100, 8, work); }),
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
    for (test::Patience patience; !othersDone && !patience.over();) std::this_thread::yield();
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
}  // namespace cellscope
