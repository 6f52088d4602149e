// Times of launches: exact where every launch is timed, estimated from those that are elsewhere;
// which launches are timed; and those of the last stretch of a run, from totals since its start.
// Memory: layouts, what they predict against what is allocated; snapshot buffers, of which those in
// use are not changed and released ones are used again.
#include <gtest/gtest.h>

#include <thread>

#include "sim/exec/layout.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/exec/profile.h"
#include "sim/run/runner.h"

namespace cellscope::exec {
namespace {

using namespace std::chrono_literals;

std::map<std::string, KernelTime> timesOf(Profile& profile) {
  std::map<std::string, KernelTime> all;
  for (const KernelTime& t : profile.read()) all[t.name] = t;
  return all;
}

void expectKernel(const KernelTime& found, const KernelTime& right) {
  EXPECT_EQ(found.name, right.name);
  EXPECT_EQ(found.launches, right.launches) << right.name;
  EXPECT_EQ(found.timed, right.timed) << right.name;
  EXPECT_DOUBLE_EQ(found.milliseconds, right.milliseconds) << right.name;
}

TEST(Profile, TimedLaunchesAddUp) {
  Profile profile;
  profile.add("a", 2.0);
  profile.add("b", 0.5);
  profile.add("a", 4.0);
  const auto times = timesOf(profile);
  ASSERT_EQ(times.size(), 2u);
  expectKernel(times.at("a"), {"a", 2, 2, 6});
  expectKernel(times.at("b"), {"b", 1, 1, 0.5});
}

TEST(Profile, LaunchesWithoutATimingLastAsLongAsTheTimedOnes) {
  Profile profile;
  profile.count("a", 100);
  EXPECT_EQ(timesOf(profile).at("a").milliseconds, 0);  // nothing is known yet
  profile.timedAlone("a", 1, 0.25);
  EXPECT_DOUBLE_EQ(timesOf(profile).at("a").milliseconds, 25);
  // A launch that does the work of ten. The estimate of what is past stays.
  profile.count("a", 10);
  for (int i = 0; i < 20; ++i) profile.timedAlone("a", 10, 5.0);
  expectKernel(timesOf(profile).at("a"), {"a", 110, 201, 25 + 10 * 0.5});
}

TEST(Profile, TheLongestOfTheLastTimingsDoesNotCount) {
  RecentMean mean;
  mean.add(900);  // the kernel's code was loaded
  for (const double t : {1.0, 2.0, 3.0}) mean.add(t);
  EXPECT_DOUBLE_EQ(mean.mean(), 2);
  for (int i = 0; i < 16; ++i) mean.add(7);
  EXPECT_DOUBLE_EQ(mean.mean(), 7);
}

// Times of a stretch of one "long" and four "short" launches that took `together` in all.
std::map<std::string, KernelTime> stretch(double longAlone, double shortAlone, double together) {
  Profile profile;
  profile.count("long", 1);
  profile.count("short", 4);
  profile.timedAlone("long", 1, longAlone);
  profile.timedAlone("short", 1, shortAlone);
  profile.timedTogether({{"long", 1}, {"short", 4}}, together);
  return timesOf(profile);
}

// What launches cost only when they are timed alone is taken off; waiting between launches is
// nobody's time; and no launch loses all its time.
TEST(Profile, TimesTogetherCorrectThoseAlone) {
  for (const auto& [together, longest, shorter] :
       {std::array{113.0, 101.0, 4 * 3.0}, std::array{400.0, 103.0, 20.0}}) {
    const auto times = stretch(103, 5, together);
    EXPECT_DOUBLE_EQ(times.at("long").milliseconds, longest) << together;
    EXPECT_DOUBLE_EQ(times.at("short").milliseconds, shorter) << together;
  }
  const auto times = stretch(103, 5, 50);
  EXPECT_DOUBLE_EQ(times.at("long").milliseconds + times.at("short").milliseconds, 50);
  EXPECT_GT(times.at("short").milliseconds, 4 * 1);
}

TEST(Profile, AStretchWithAKernelThatWasNeverTimedSaysNothing) {
  Profile profile;
  profile.count("a", 1);
  profile.count("b", 1);
  profile.timedAlone("a", 1, 4);
  profile.timedTogether({{"a", 1}, {"b", 1}}, 5);
  EXPECT_DOUBLE_EQ(timesOf(profile).at("a").milliseconds, 4);
  EXPECT_EQ(timesOf(profile).at("b").milliseconds, 0);
}

// Stretches of "first" and "second", 1 ms apart for a second: each kernel is timed at most once in
// kPeriod, and often enough; the first launch of each never; some stretches as a whole.
TEST(LaunchSampling, TimesEveryKernelNowAndThen) {
  LaunchSampling sampling;
  LaunchSampling::Clock::time_point now{1h}, last{};
  int alone = 0, together = 0;
  for (int stretch = 0; stretch < 1000; ++stretch, now += 1ms) {
    sampling.begin(now);
    const bool due = sampling.due("second");
    const bool first = sampling.take("first"), second = sampling.take("second");
    EXPECT_EQ(first, second);
    if (stretch == 0) {
      EXPECT_TRUE(due);
      EXPECT_FALSE(second);
      continue;
    }
    EXPECT_EQ(due, second);
    EXPECT_EQ(sampling.take("second"), second) << "all of a stretch or none";
    together += sampling.together();
    alone += second;
    EXPECT_FALSE(second && sampling.together());
    if (!second) continue;
    EXPECT_GE(now - last, LaunchSampling::kPeriod);
    last = now;
  }
  EXPECT_GE(alone, 18);
  EXPECT_GE(together, 15);
  EXPECT_LE(together, 20);
}

// Works that alternate, each rarer than kPeriod: both are timed in both ways.
TEST(LaunchSampling, RareStretchesHaveTheirTurn) {
  LaunchSampling sampling;
  LaunchSampling::Clock::time_point now{1h};
  std::map<std::string, int> alone, together;
  for (int k = 0; k < 100; ++k, now += 100ms)
    for (const char* work : {"a", "b", "c"}) {
      sampling.begin(now + 1ms);
      if (sampling.take(work)) ++alone[work];
      if (sampling.together()) ++together[work];
    }
  for (const char* work : {"a", "b", "c"}) {
    EXPECT_GE(alone[work], 40) << work;
    EXPECT_GE(together[work], 5) << work;
  }
}

TEST(KernelMeter, TellsWhatHappenedSinceTheLastLook) {
  KernelMeter meter;
  EXPECT_TRUE(meter.due(5));
  meter.update({{"sweep", 1000, 10, 500}, {"pack", 7, 7, 70}, {"old", 3, 3, 1}}, 5);
  EXPECT_EQ(meter.use().seconds, 0);
  EXPECT_FALSE(meter.due(5.5));
  ASSERT_TRUE(meter.due(7));
  // "pack" from two places
  meter.update({{"pack", 8, 8, 80},
                {"sweep", 3000, 30, 1500},
                {"pack", 2, 1, 20},
                {"old", 3, 3, 1},
                {"new", 1, 0, 0}},
               7);
  const KernelUse& use = meter.use();
  EXPECT_DOUBLE_EQ(use.seconds, 2);
  ASSERT_EQ(use.kernels.size(), 3u);
  expectKernel(use.kernels[0], {"sweep", 2000, 20, 1000});
  expectKernel(use.kernels[1], {"pack", 3, 2, 30});
  expectKernel(use.kernels[2], {"new", 1, 0, 0});
  EXPECT_DOUBLE_EQ(use.secondsIn(), 1.03);
  EXPECT_DOUBLE_EQ(use.shareOfTime(use.kernels[0]), 0.5);
  EXPECT_DOUBLE_EQ(use.shareOfKernels(use.kernels[0]), 1000.0 / 1030);
  EXPECT_DOUBLE_EQ(use.shareOutside(), 1 - 0.515);
}

TEST(KernelMeter, SharesNeverSumToMoreThanOne) {
  KernelMeter meter;
  meter.update({}, 0);
  meter.update({{"a", 10, 1, 900}, {"b", 10, 1, 300}}, 1);
  const KernelUse& use = meter.use();
  EXPECT_DOUBLE_EQ(use.shareOfTime(use.kernels[0]), 0.75);
  EXPECT_DOUBLE_EQ(use.shareOfTime(use.kernels[1]), 0.25);
  EXPECT_EQ(use.shareOutside(), 0);
}

TEST(KernelMeter, AnotherStateAndAPauseBeginAnew) {
  KernelMeter meter;
  meter.update({{"a", 10, 10, 100}}, 0);
  meter.update({{"a", 20, 20, 200}}, 1);
  const auto unchanged = [&] {
    return meter.use().seconds == 1 && meter.use().kernels.at(0).launches == 10;
  };
  EXPECT_TRUE(unchanged());
  meter.update({{"a", 5, 5, 50}}, 2);  // an engine that was made meanwhile
  EXPECT_TRUE(unchanged());
  meter.interrupt();
  EXPECT_TRUE(meter.due(2.1));
  meter.update({{"a", 50, 50, 500}}, 60);
  EXPECT_TRUE(unchanged());
  meter.update({{"a", 53, 53, 530}}, 61.5);
  EXPECT_EQ(meter.use().seconds, 1.5);
  EXPECT_EQ(meter.use().kernels.at(0).launches, 3u);
  meter.forget();
  EXPECT_EQ(meter.use().seconds, 0);
  EXPECT_TRUE(meter.use().kernels.empty());
}

struct Lists {
  Array<std::uint32_t> first;
  DoubleBuffer<std::uint64_t> keys;
  static Layout<Lists> layout(std::size_t cells, std::size_t n) {
    return {{"first slots", &Lists::first, cells + 1}, {"keys", &Lists::keys, n}};
  }
};

struct Engine {
  Array<double> energy;
  Lists lists;
  static Layout<Engine> layout(std::size_t n) {
    return {{"energies", &Engine::energy, n}, {"lists", &Engine::lists, Lists::layout(n / 4, n)}};
  }
};

TEST(Layout, PredictsWhatItAllocates) {
  for (const std::size_t n : {0, 1, 1000, 12345}) {
    const Layout<Engine> layout = Engine::layout(n);
    const std::size_t before = memoryUse(Backend::cpu).now;
    const Engine engine = layout.make(Backend::cpu);
    EXPECT_EQ(memoryUse(Backend::cpu).now - before, layout.bytes());
    EXPECT_EQ(layout.held(engine), layout.bytes());
    EXPECT_EQ(layout.bytes(), 8 * n + 4 * (n / 4 + 1) + 16 * n);
    EXPECT_EQ(engine.energy.size(), n);
    EXPECT_EQ(engine.lists.keys.size(), n);
    EXPECT_EQ(Engine::layout(3).held(engine), layout.bytes()) << "of what there is, not of three";
  }
}

TEST(Layout, NamesItsParts) {
  const Layout<Lists> layout = Lists::layout(7, 5);
  ASSERT_EQ(layout.parts().size(), 2u);
  EXPECT_EQ(std::string(layout.parts()[1].name), "keys");
  EXPECT_EQ(layout.parts()[1].count, 5u);
  EXPECT_EQ(layout.parts()[1].bytes(), 80u);
}

TEST(Layout, GivesBackWhatItMadeWhenMemoryRunsOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end a program that asks for more than there can be";
#endif
  const std::size_t before = memoryUse(Backend::cpu).now;
  EXPECT_THROW(Lists::layout(1000, std::size_t{1} << 55).make(Backend::cpu), OutOfMemory);
  EXPECT_EQ(memoryUse(Backend::cpu).now, before);
}

constexpr std::size_t kItems = 1000;

class PooledBuffers : public testing::Test {
 protected:
  std::shared_ptr<PooledBuffer> filled(int value, std::size_t n = kItems) {
    auto buffer = pool->get(n * sizeof(int));
    std::fill_n(buffer->items<int>(), n, value);
    return buffer;
  }
  std::shared_ptr<PooledBuffer::Pool> pool = std::make_shared<PooledBuffer::Pool>(Backend::cpu);
};

std::vector<int> copyOf(const FrameBuffer& buffer) {
  std::vector<int> out(buffer.bytes() / sizeof(int));
  buffer.copyTo(out.data(), MemorySpace::host);
  return out;
}

TEST_F(PooledBuffers, AHeldSnapshotIsNotWrittenAgain) {
  const auto held = filled(1), next = filled(2);
  EXPECT_EQ(held->space(), MemorySpace::host);
  EXPECT_EQ(copyOf(*held), std::vector<int>(kItems, 1));
  EXPECT_EQ(copyOf(*next), std::vector<int>(kItems, 2));
}

TEST_F(PooledBuffers, MemoryLetGoIsUsedAgainForLikeSizesOnly) {
  auto first = filled(1, 100000);
  const int* place = first->items<int>();
  first.reset();
  const auto small = filled(2, 10);  // would waste nearly all of it
  EXPECT_NE(small->items<int>(), place);
  const auto again = filled(3, 90000);
  EXPECT_EQ(again->items<int>(), place);
  EXPECT_EQ(again->bytes(), 90000 * sizeof(int));
}

TEST_F(PooledBuffers, OutlivesThePoolAndMayBeEmpty) {
  const auto held = filled(4);
  EXPECT_EQ(pool->get(0)->bytes(), 0u);
  pool.reset();
  EXPECT_EQ(copyOf(*held), std::vector<int>(kItems, 4));
}

// One thread publishes, two read and release, as the runner and the window do.
TEST_F(PooledBuffers, ReadersOnOtherThreadsSeeWholeSnapshots) {
  std::mutex mutex;  // guards the pointer alone
  std::shared_ptr<PooledBuffer> newest = filled(0);
  const auto latest = [&] {
    std::lock_guard lock(mutex);
    return newest;
  };
  std::atomic<bool> stop = false;
  std::atomic<int> torn = 0;
  const auto read = [&] {
    while (!stop) {
      const std::vector<int> items = copyOf(*latest());
      torn += std::count(items.begin(), items.end(), items[0]) != std::ssize(items);
    }
  };
  std::thread a(read), b(read);
  for (int k = 1; k < 3000; ++k) {
    std::shared_ptr<PooledBuffer> next = filled(k);
    std::lock_guard lock(mutex);
    newest.swap(next);
  }
  stop = true;
  a.join();
  b.join();
  EXPECT_EQ(torn, 0);
}

}  // namespace
}  // namespace cellscope::exec
