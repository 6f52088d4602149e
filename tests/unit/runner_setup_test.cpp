// Long preparations of a state: how far they are, given up, replaced, and the end of the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "sim/io/formats/format.h"
#include "tests/support/fake_mode.h"
#include "tests/support/runner_tools.h"

namespace cellscope {
namespace {

using namespace std::chrono_literals;
using test::await;
using test::fileFor;
using test::PublicationPtr;

TEST(RunnerSetup, ASetupTellsHowFarItIs) {
  Scenario slow = test::fakeScenario();
  slow.parameters = {{"setup_time", 300.0}};
  Runner runner({}, slow, test::fakeModes);
  std::vector<double> seen;
  PublicationPtr p;
  for (test::Patience patience; !patience.over() && !(p && p->mode);) {
    p = runner.latest();
    if (p && p->setup && p->setup->stage) {
      EXPECT_EQ(p->setup->name, "Opening \"fake\"");
      EXPECT_FALSE(p->setup->isStep);
      EXPECT_EQ(p->setup->then, "then the run is ready");
      EXPECT_EQ(p->setup->stage->label, "placing walkers");
      seen.push_back(p->setup->stage->progress);
    }
    std::this_thread::sleep_for(1ms);
  }
  ASSERT_TRUE(p && p->mode);
  EXPECT_FALSE(p->setup);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_GE(seen.size(), 3u);
}

// Waits until a set-up is in hand; its number.
std::uint64_t awaitSetup(const Runner& runner) {
  for (test::Patience patience; !patience.over();) {
    const PublicationPtr p = runner.latest();
    if (p && p->setup && p->setup->stage) return p->setup->number;
    std::this_thread::sleep_for(1ms);
  }
  return 0;
}

TEST(RunnerSetup, ACancelledSetupKeepsTheOldState) {
  const std::string before = fileFor("kept.xyz"), after = fileFor("still.xyz");
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  for (int i = 0; i < 12; ++i) runner.step();
  runner.set("setup_time", 60000.0);
  runner.saveTrajectoryFrame(before);
  Scenario other = test::fakeScenario();
  other.parameters = {{"setup_time", 60000.0}};
  const std::function<void()> changes[] = {[&] { runner.reset(); },
                                           [&] { runner.set("n", std::int64_t{50}); },
                                           [&] { runner.open(other, true); }};
  std::size_t messages = 1;
  for (const auto& change : changes) {
    change();
    const std::uint64_t number = awaitSetup(runner);
    ASSERT_NE(number, 0u);
    runner.cancel(number - 1);  // too late for the one before: nothing happens
    std::this_thread::sleep_for(20ms);
    EXPECT_TRUE(runner.latest()->setup);
    runner.cancel(number);
    ++messages;
    const PublicationPtr p =
        await(runner, [&](const Publication& q) { return q.messages.size() == messages; });
    ASSERT_TRUE(p);
    EXPECT_NE(p->messages.back().text.find("as it was before"), std::string::npos);
    EXPECT_EQ(p->step, 12u);
    EXPECT_EQ(p->particles, 16u);
    EXPECT_EQ(std::get<std::int64_t>(p->parameters[0].value), 16);
    EXPECT_FALSE(p->playing);
    EXPECT_FALSE(p->canUndo);
    EXPECT_FALSE(p->setup);
  }
  runner.saveTrajectoryFrame(after);
  ASSERT_TRUE(await(runner, [&](const Publication& q) { return q.messages.size() > messages; }));
  EXPECT_EQ(test::hashOf(io::readConfiguration(before).configuration),
            test::hashOf(io::readConfiguration(after).configuration));
}

TEST(RunnerSetup, TheFirstSetupCanBeCancelledAndAnotherScenarioOpened) {
  Scenario slow = test::fakeScenario();
  slow.parameters = {{"setup_time", 60000.0}};
  Runner runner({}, slow, test::fakeModes);
  runner.cancel(awaitSetup(runner));
  PublicationPtr p;
  for (test::Patience patience; !patience.over(); std::this_thread::sleep_for(1ms)) {
    p = runner.latest();
    if (p && !p->messages.empty()) break;
  }
  ASSERT_FALSE(p->messages.empty());
  EXPECT_NE(p->messages[0].text.find("nothing is open"), std::string::npos);
  runner.open(test::fakeScenario(), true);
  EXPECT_TRUE(await(runner, [](const Publication& q) { return q.mode && q.step > 3; }));
}

TEST(RunnerSetup, EndsWithoutTheSetupInHand) {
  Scenario slow = test::fakeScenario();
  slow.parameters = {{"setup_time", 60000.0}};
  auto runner = std::make_unique<Runner>(ExecConfig{}, slow, test::fakeModes);
  const std::uint64_t before = test::completedSetups();
  awaitSetup(*runner);
  runner.reset();
  EXPECT_EQ(test::completedSetups(), before);
}

}  // namespace
}  // namespace cellscope
