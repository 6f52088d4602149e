// An edit of a grand-canonical run for which there is no memory changes nothing at all.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/support/gcmc_modes.h"

// Large blocks of memory are refused by operator new itself. A limit of the address space would not
// do: the heap of any thread that there was has addresses reserved, in which malloc finds blocks.
namespace cellscope::test {
namespace {

constexpr std::size_t kLarge = 1 << 16;  // positions or ids of a chain; parameters take less
std::atomic<int> granted{1 << 30};

// Grants this number of large blocks, and then none, as long as it lives.
class LargeBlocks {
 public:
  explicit LargeBlocks(int count) { granted = count; }
  ~LargeBlocks() { granted = 1 << 30; }
  LargeBlocks(const LargeBlocks&) = delete;
  LargeBlocks& operator=(const LargeBlocks&) = delete;
};

}  // namespace

static void* blockOf(std::size_t bytes) noexcept {
  if (bytes >= kLarge && granted < 1 << 30 && --granted < 0) return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}

}  // namespace cellscope::test

// Not inlined: a compiler that sees malloc on one side only warns.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* const p = cellscope::test::blockOf(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return cellscope::test::blockOf(bytes);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace cellscope::test {
namespace {

// Whichever large block is the first that is refused, until the edit succeeds.
void expectAllOrNothing(const std::string& key, double value) {
  const std::string values =
      "length=28 density=0.5 activity=0.1 moves_per_step=100 replicas=4 replicas_differ_by=seed";
  const auto edited = gcmcMode(values), left = gcmcMode(values);
  int count = 0;
  for (bool refused = true; refused; ++count) {
    SCOPED_TRACE(testing::Message() << key << ", large block " << count << " is refused");
    ASSERT_LT(count, 200) << "it is never enough";
    edited->advance(1), left->advance(1);
    ASSERT_TRUE(saved(*edited) == saved(*left)) << "the rules are those they had";
    edited->parameters().at(key).set(value);
    refused = false;
    try {
      const LargeBlocks few(count);
      edited->applyParameters();
    } catch (const std::exception&) {
      refused = true;
    }
    if (!refused) break;
    ASSERT_TRUE(saved(*edited) == saved(*left));
    EXPECT_EQ(edited->parameters().at(key).get(), left->parameters().at(key).get());
    expectHealthy(*edited);
  }
  EXPECT_GT(count, 8) << "positions and ids of the replicas at least";
  EXPECT_FALSE(saved(*edited) == saved(*left));
  expectHealthy(*edited);
}

TEST(GcmcEdits, ForWhichThereIsNoMemoryChangeNothing) {
  expectAllOrNothing("temperature", 3);
  expectAllOrNothing("cutoff", 2.2);
}

}  // namespace
}  // namespace cellscope::test
