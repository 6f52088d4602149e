// Memory: layouts, what they predict against what is allocated; snapshot buffers, of which those in
// use are not changed and released ones are used again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>

#include "sim/base/error.h"
#include "sim/exec/layout.h"
#include "sim/exec/pooled_buffer.h"

namespace cellscope::exec {
namespace {

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
