// Snapshot buffers: buffers in use are not changed; released ones are reused.
#include "sim/exec/pooled_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cellscope::exec {
namespace {

constexpr std::size_t kItems = 1000;

std::shared_ptr<PooledBuffer> filled(PooledBuffer::Pool& pool, int value, std::size_t n = kItems) {
  auto buffer = pool.get(n * sizeof(int));
  std::fill_n(buffer->items<int>(), n, value);
  return buffer;
}

std::vector<int> copyOf(const FrameBuffer& buffer) {
  std::vector<int> out(buffer.bytes() / sizeof(int));
  buffer.copyTo(out.data(), MemorySpace::host);
  return out;
}

TEST(PooledBuffer, AHeldSnapshotIsNotWrittenAgain) {
  auto pool = std::make_shared<PooledBuffer::Pool>(Backend::cpu);
  const auto held = filled(*pool, 1);
  const auto next = filled(*pool, 2);
  EXPECT_EQ(held->space(), MemorySpace::host);
  EXPECT_EQ(copyOf(*held), std::vector<int>(kItems, 1));
  EXPECT_EQ(copyOf(*next), std::vector<int>(kItems, 2));
}

TEST(PooledBuffer, MemoryLetGoIsUsedAgainForLikeSizesOnly) {
  auto pool = std::make_shared<PooledBuffer::Pool>(Backend::cpu);
  auto first = filled(*pool, 1, 100000);
  const int* place = first->items<int>();
  first.reset();
  const auto small = filled(*pool, 2, 10);  // would waste nearly all of it
  EXPECT_NE(small->items<int>(), place);
  const auto again = filled(*pool, 3, 90000);
  EXPECT_EQ(again->items<int>(), place);
  EXPECT_EQ(again->bytes(), 90000 * sizeof(int));
}

TEST(PooledBuffer, OutlivesThePoolAndMayBeEmpty) {
  auto pool = std::make_shared<PooledBuffer::Pool>(Backend::cpu);
  const auto held = filled(*pool, 4);
  EXPECT_EQ(pool->get(0)->bytes(), 0u);
  pool.reset();
  EXPECT_EQ(copyOf(*held), std::vector<int>(kItems, 4));
}

// One thread publishes, two read and release, as the runner and the window do.
TEST(PooledBuffer, ReadersOnOtherThreadsSeeWholeSnapshots) {
  auto pool = std::make_shared<PooledBuffer::Pool>(Backend::cpu);
  std::mutex mutex;  // guards the pointer alone
  std::shared_ptr<PooledBuffer> newest = filled(*pool, 0);
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
    std::shared_ptr<PooledBuffer> next = filled(*pool, k);
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
