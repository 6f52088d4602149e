// Columns and lists that are shared and not copied.
#include "sim/run/sample_history.h"

#include <gtest/gtest.h>

#include "sim/run/runner.h"
#include "tests/support/fake_mode.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

TEST(SharedColumn, ACopyStaysAsItIsWhenTheOriginalGrows) {
  SharedColumn column;
  for (int i = 0; i < 40; ++i) column.push_back(i);
  const SharedColumn copy = column;
  column.push_back(40);
  EXPECT_TRUE(copy.sharesWith(column));
  EXPECT_EQ(copy.size(), 40u);
  EXPECT_EQ(copy.back(), 39);
  EXPECT_EQ(column.back(), 40);
  for (int i = 41; i < 1000; ++i) column.push_back(i);
  for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], static_cast<double>(i));
  for (std::size_t i = 0; i < copy.size(); ++i) ASSERT_EQ(copy[i], static_cast<double>(i));
}

TEST(SharedColumn, TwoThatGrowDoNotDisturbEachOther) {
  SharedColumn a(std::vector<double>{1, 2, 3});
  SharedColumn b = a;
  a.push_back(4);
  b.push_back(5);
  b.push_back(6);
  a.push_back(7);
  EXPECT_EQ(std::vector<double>(a), (std::vector<double>{1, 2, 3, 4, 7}));
  EXPECT_EQ(std::vector<double>(b), (std::vector<double>{1, 2, 3, 5, 6}));
  EXPECT_FALSE(a.sharesWith(b));
}

TEST(SharedColumn, WithOneMoreValueLeavesTheOriginal) {
  SharedColumn a(std::vector<double>{1, 2});
  const SharedColumn more = a.with(9);
  a.push_back(3);
  EXPECT_EQ(std::vector<double>(more), (std::vector<double>{1, 2, 9}));
  EXPECT_EQ(std::vector<double>(a), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(more.sharesWith(a));
}

TEST(Publications, ShareWhatHasNotChanged) {
  Runner runner({}, fakeScenario(), fakeModes);
  const auto at = [&](std::uint64_t step) {
    for (std::uint64_t s = runner.latest() ? runner.latest()->step : 0; s < step; ++s)
      runner.step();
    return await(runner, [&](const Publication& p) { return p.step == step; });
  };
  const PublicationPtr first = at(11), second = at(12), third = at(16);
  ASSERT_TRUE(first && second && third);
  EXPECT_TRUE(first->parameters.sharesWith(second->parameters));
  EXPECT_TRUE(first->messages.sharesWith(second->messages));
  EXPECT_TRUE(first->observables.sharesWith(second->observables));  // samples at 10 and 15
  EXPECT_EQ(first->mode, second->mode);
  // One more sample: the list is another one, the numbers are not.
  EXPECT_FALSE(second->observables.sharesWith(third->observables));
  ASSERT_EQ(second->observables[0].value.size() + 1, third->observables[0].value.size());
  EXPECT_TRUE(second->observables[0].value.sharesWith(third->observables[0].value));
  EXPECT_TRUE(second->parameters.sharesWith(third->parameters));
  runner.set("size", 0.3);
  const PublicationPtr changed = await(
      runner, [&](const Publication& p) { return !p.parameters.sharesWith(third->parameters); });
  ASSERT_TRUE(changed);
  EXPECT_EQ(std::get<double>(changed->parameters[2].value), 0.3);
  EXPECT_EQ(std::get<double>(third->parameters[2].value), 0.1);
}

TEST(Publications, FollowALiveChangeOfThePhases) {
  Runner runner({}, fakeScenario(), fakeModes);
  const PublicationPtr first =
      await(runner, [](const Publication& p) { return p.mode != nullptr; });
  ASSERT_TRUE(first);
  EXPECT_EQ(first->mode->phases.size(), 2u);
  runner.set("diagonal", true);
  const PublicationPtr then =
      await(runner, [](const Publication& p) { return p.mode->phases.size() == 3; });
  ASSERT_TRUE(then);
  EXPECT_GT(then->mode->version, first->mode->version);
  EXPECT_EQ(std::get<bool>(then->parameters.back().value), true) << "in the same publication";
}

}  // namespace
}  // namespace cellscope::test
