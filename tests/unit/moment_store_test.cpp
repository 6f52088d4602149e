// The bounded memory for moments of a run.
#include "sim/run/rewind.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cellscope {
namespace {

MomentStore::Item at(std::uint64_t step, std::size_t stateBytes, std::size_t edits = 0) {
  auto m = std::make_shared<Session::Moment>();
  m->step = step;
  m->edits = edits;
  m->state.assign(stateBytes, 'x');
  return m;
}

std::size_t sizeOf(const MomentStore& store) {
  std::size_t sum = 0;
  for (const auto& item : store.items()) sum += item->bytes();
  return sum;
}

TEST(MomentStore, NeverHoldsMoreThanItsLimit) {
  constexpr std::size_t kLimit = 1 << 20;
  MomentStore store(kLimit);
  for (std::uint64_t step = 0; step <= 5000; ++step) {
    ASSERT_TRUE(store.add(at(step, 1000 + 37 * (step % 100))));
    ASSERT_LE(store.bytes(), kLimit);
  }
  EXPECT_EQ(store.bytes(), sizeOf(store));
  EXPECT_LE(store.items().size(), MomentStore::kMost);
  EXPECT_GT(store.bytes(), kLimit / 2) << "the memory is used";
}

// The first and the last stay; of 50 moments in 10 000 steps the newest lie closest to each other.
TEST(MomentStore, OlderMomentsAreSparserAndTheSpanStays) {
  MomentStore store(50 * at(0, 10000)->bytes());
  for (std::uint64_t step = 0; step <= 10000; ++step) ASSERT_TRUE(store.add(at(step, 10000)));
  const auto& items = store.items();
  ASSERT_EQ(items.size(), 50u);
  EXPECT_EQ(items.front()->step, 0u);
  EXPECT_EQ(items.back()->step, 10000u);
  for (std::size_t i = 1; i < items.size(); ++i) {
    const std::uint64_t gap = items[i]->step - items[i - 1]->step;
    const std::uint64_t age = 10000 - items[i - 1]->step;
    EXPECT_LE(gap, std::max<std::uint64_t>(2, age / 2)) << items[i]->step;
  }
  EXPECT_LE(items[49]->step - items[44]->step, 50u);
  EXPECT_GE(items[5]->step - items[0]->step, 500u);
}

TEST(MomentStore, KeepsNothingOfWhatDoesNotFitTwice) {
  MomentStore store(30000);
  EXPECT_FALSE(store.add(at(1, 20000)));
  EXPECT_TRUE(store.items().empty());
  EXPECT_EQ(store.bytes(), 0u);
  EXPECT_FALSE(MomentStore().add(at(1, 0))) << "switched off";
}

TEST(MomentStore, IsOrderedByStepAndChange) {
  MomentStore store(1 << 20);
  for (std::uint64_t step : {30, 10, 20}) store.add(at(step, 100));
  store.add(at(20, 100, 1));
  store.add(at(10, 300));  // instead of the one there
  ASSERT_EQ(store.items().size(), 4u);
  EXPECT_EQ(store.bytes(), sizeOf(store));
  EXPECT_EQ(store.before(25)->edits, 1u);
  EXPECT_EQ(store.before(25)->step, 20u);
  EXPECT_EQ(store.before(5), nullptr);
  EXPECT_EQ(store.nearest(12)->step, 10u);
  EXPECT_EQ(store.nearest(1000)->step, 30u);
  store.eraseAfter(*at(20, 0));
  ASSERT_EQ(store.items().size(), 2u);
  EXPECT_EQ(store.items().back()->edits, 0u);
  EXPECT_EQ(store.bytes(), sizeOf(store));
}

TEST(MomentStore, ASmallerLimitThins) {
  MomentStore store(1 << 20);
  for (std::uint64_t step = 0; step < 100; ++step) store.add(at(step, 5000));
  store.limitTo(100000);
  EXPECT_LE(store.bytes(), 100000u);
  EXPECT_EQ(store.bytes(), sizeOf(store));
  EXPECT_EQ(store.items().front()->step, 0u);
  EXPECT_EQ(store.items().back()->step, 99u);
  store.limitTo(8000);
  EXPECT_TRUE(store.items().empty());
  EXPECT_EQ(store.bytes(), 0u);
}

}  // namespace
}  // namespace cellscope
