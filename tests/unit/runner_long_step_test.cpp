// Steps that take long: how far they are, given up, one after the other, and the end of the
// program.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sim/run/session.h"
#include "tests/support/fake_mode.h"
#include "tests/support/runner_tools.h"

namespace cellscope {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::await;
using test::PublicationPtr;

constexpr double kMinute = 60000;  // milliseconds

bool isLong(const Publication& p) { return p.setup && p.setup->stage; }

double secondsOf(const std::function<void()>& act) {
  const auto begin = Clock::now();
  act();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t hashAfter(std::uint64_t steps) {
  Session session(test::fakeScenario(), {}, test::fakeModes);
  session.advance(steps);
  return test::hashOf(session.mode().configuration());
}

// The state as the end of the program finds it.
void expectAt(Runner& runner, std::uint64_t step) {
  EXPECT_TRUE(runner.finish([&](Session& s) {
    EXPECT_EQ(s.step(), step);
    EXPECT_EQ(test::hashOf(s.mode().configuration()), hashAfter(step));
  }));
}

TEST(LongStep, TellsHowFarItIsAndCanBeCancelled) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  for (int i = 0; i < 3; ++i) runner.step();
  runner.set("delay", kMinute);
  runner.play(true);
  std::vector<double> shares;
  PublicationPtr p;
  while (shares.size() < 5) {
    p = await(runner, [&](const Publication& q) {
      return isLong(q) && (shares.empty() || q.setup->stage->progress > shares.back());
    });
    ASSERT_TRUE(p);
    shares.push_back(p->setup->stage->progress);
  }
  EXPECT_EQ(p->setup->name, "Step 4");
  EXPECT_EQ(p->setup->stage->label, "walking");
  EXPECT_LT(shares.back(), 0.5);
  runner.cancel(p->setup->number);
  p = await(runner, [](const Publication& q) { return !q.setup && !q.messages.empty(); });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->messages.back().text, "Step 4 was cancelled: everything is as it was before.");
  EXPECT_FALSE(p->playing);
  EXPECT_EQ(p->step, 3u);
  runner.set("delay", 0.0);
  for (int i = 0; i < 4; ++i) runner.step();
  ASSERT_TRUE(await(runner, [](const Publication& q) { return q.step == 7; }));
  expectAt(runner, 7);
}

TEST(LongStep, ASingleOneCanBeCancelled) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  ASSERT_TRUE(await(runner, [](const Publication& q) { return q.step == 0; }));
  runner.set("delay", kMinute);
  runner.step();
  const PublicationPtr p = await(runner, isLong);
  ASSERT_TRUE(p);
  runner.cancel(p->setup->number);
  ASSERT_TRUE(await(runner, [](const Publication& q) { return !q.setup && !q.messages.empty(); }));
  expectAt(runner, 0);
}

// The card stays where it is while one long step follows the other, and goes when they are short.
TEST(LongStep, ThoseInARowAreOneWait) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  runner.set("delay", 1200.0);
  runner.play(true);
  ASSERT_TRUE(await(runner, isLong));
  std::set<std::uint64_t> numbers;
  std::set<std::string> names;
  ASSERT_TRUE(await(runner, [&](const Publication& q) {
    EXPECT_TRUE(q.setup) << q.step;
    if (q.setup) numbers.insert(q.setup->number), names.insert(q.setup->name);
    return q.step == 3;
  }));
  EXPECT_EQ(numbers.size(), 1u);
  for (const char* name : {"Step 1", "Step 2", "Step 3"}) EXPECT_TRUE(names.count(name)) << name;
  runner.set("delay", 0.0);
  EXPECT_TRUE(await(runner, [](const Publication& q) { return !q.setup && q.step > 10; }));
}

TEST(LongStep, ShortOnesAreNotShown) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  runner.set("delay", 300.0);
  runner.play(true);
  ASSERT_TRUE(await(runner, [&](const Publication& q) {
    EXPECT_FALSE(q.setup);
    return q.step == 4;
  }));
}

TEST(LongStep, IsNotWaitedForAtTheEnd) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  for (int i = 0; i < 5; ++i) runner.step();
  runner.set("delay", kMinute);
  runner.play(true);
  ASSERT_TRUE(await(runner, [](const Publication& q) { return q.playing && q.step == 5; }));
  EXPECT_LT(secondsOf([&] { expectAt(runner, 5); }), 20);
}

// So many short steps were one batch that it would take hours with the new ones.
TEST(LongStep, AfterShortOnesItsBatchIsSmall) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  runner.play(true);
  ASSERT_TRUE(await(runner, [](const Publication& q) { return q.step > 20000; }));
  runner.set("delay", 50.0);
  const auto slow = [](const Publication& q) {
    return std::any_of(q.parameters.begin(), q.parameters.end(), [](const ParameterState& s) {
      return s.info.key == "delay" && s.value == ParameterValue(50.0);
    });
  };
  const PublicationPtr first = await(runner, slow);
  ASSERT_TRUE(first);
  EXPECT_TRUE(await(runner, [&](const Publication& q) { return q.step > first->step; }));
  runner.play(false);
  EXPECT_TRUE(await(runner, [](const Publication& q) { return !q.playing; }));
}

}  // namespace
}  // namespace cellscope
