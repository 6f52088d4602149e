// Going back on the Runner's thread, step by step and to what was open before.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "sim/run/runner.h"
#include "sim/run/session.h"
#include "tests/support/fake_mode.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope {
namespace {

using namespace std::chrono_literals;
using test::await;
using test::PublicationPtr;

constexpr std::size_t kLimit = 64 << 20;

bool isAt(const Publication& p, std::uint64_t step) { return p.step == step && !p.setup; }

void stepsByHand(Runner& runner, int count) {
  for (int i = 0; i < count; ++i) runner.step();
}

TEST(RunnerRewind, IsOffUntilItHasMemory) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  stepsByHand(runner, 3);
  ASSERT_TRUE(await(runner, [](const Publication& p) { return isAt(p, 3); }));
  runner.stepBack();
  stepsByHand(runner, 1);
  const PublicationPtr p = await(runner, [](const Publication& q) { return isAt(q, 4); });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->timeline.usedBytes, 0u);
  EXPECT_TRUE(p->timeline.steps.empty());
}

TEST(RunnerRewind, BackForwardAndABranch) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  runner.keepMoments(kLimit);
  stepsByHand(runner, 40);
  PublicationPtr p = await(runner, [](const Publication& q) { return isAt(q, 40); });
  ASSERT_TRUE(p);
  EXPECT_GE(p->timeline.steps.size(), 1u);
  EXPECT_EQ(p->timeline.limitBytes, kLimit);
  EXPECT_FALSE(p->timeline.behind);
  runner.stepBack();
  runner.stepBack();
  p = await(runner, [](const Publication& q) { return isAt(q, 38); });
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->timeline.behind);
  EXPECT_EQ(p->timeline.end, 40u);
  ASSERT_EQ(p->timeline.branches.size(), 1u);
  EXPECT_TRUE(p->timeline.branches[0].ahead);
  runner.forwardToEnd();
  ASSERT_TRUE(
      await(runner, [](const Publication& q) { return isAt(q, 40) && !q.timeline.behind; }));
  for (int i = 0; i < 5; ++i) runner.stepBack();
  ASSERT_TRUE(await(runner, [](const Publication& q) { return isAt(q, 35); }));
  runner.set("size", 0.3);
  p = await(runner, [](const Publication& q) { return !q.messages.empty(); });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->messages.back().text.find("A new branch of the run begins at step 35"), 0u)
      << p->messages.back().text;
  EXPECT_FALSE(p->timeline.behind);
  runner.forwardToEnd();  // there is nothing ahead any more
  stepsByHand(runner, 10);
  p = await(runner, [](const Publication& q) { return isAt(q, 45); });
  ASSERT_TRUE(p);
  ASSERT_EQ(p->timeline.branches.size(), 1u);
  EXPECT_FALSE(p->timeline.branches[0].ahead);
  EXPECT_EQ(p->timeline.branches[0].from, 35u);
  EXPECT_EQ(p->timeline.branches[0].to, 40u);
  runner.finish([](Session& s) {
    ASSERT_EQ(s.log().edits.size(), 1u);
    EXPECT_EQ(s.log().edits[0].step, 35u);
    const auto again = test::replay(s.log(), s.step(), {}, test::fakeModes);
    EXPECT_EQ(test::hashOf(s.mode().configuration()), test::hashOf(again->mode().configuration()));
  });
}

TEST(RunnerRewind, APlayingRunKeepsMomentsAndScrubbingPausesIt) {
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  runner.keepMoments(kLimit);
  runner.play(true);
  PublicationPtr p =
      await(runner, [](const Publication& q) { return q.timeline.steps.size() >= 4; });
  ASSERT_TRUE(p);
  const std::uint64_t second = p->timeline.steps[1];
  for (std::uint64_t k = 0; k < 20; ++k) runner.goNear(second + k % 2);  // as a drag does
  p = await(runner, [](const Publication& q) { return q.timeline.behind; });
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->playing);
  EXPECT_EQ(p->step, second);
  const std::uint64_t end = p->timeline.end;
  runner.play(true);  // the same run again, and beyond
  p = await(runner, [&](const Publication& q) { return q.step > end; });
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->timeline.behind);
  EXPECT_TRUE(p->timeline.branches.empty());
  runner.finish([](Session& s) {
    const auto again = test::replay(s.log(), s.step(), {}, test::fakeModes);
    EXPECT_EQ(test::hashOf(s.mode().configuration()), test::hashOf(again->mode().configuration()));
  });
}

TEST(RunnerRewind, AnotherScenarioFreesTheMemory) {
  Scenario large = test::fakeScenario();
  large.parameters.emplace_back("n", std::int64_t{20000});
  Runner runner({}, large, test::fakeModes);
  runner.keepMoments(kLimit);
  stepsByHand(runner, 30);
  const PublicationPtr before = await(runner, [](const Publication& q) { return isAt(q, 30); });
  ASSERT_TRUE(before);
  EXPECT_GT(before->timeline.usedBytes, 300000u);
  runner.open(test::fakeScenario());
  const PublicationPtr after =
      await(runner, [](const Publication& q) { return isAt(q, 0) && !q.timeline.steps.empty(); });
  ASSERT_TRUE(after);
  EXPECT_LT(after->timeline.usedBytes, 100000u);
  EXPECT_EQ(after->timeline.steps.size(), 1u);
  EXPECT_NE(after->timeline.run, before->timeline.run);
  runner.keepMoments(0);
  const PublicationPtr off =
      await(runner, [](const Publication& q) { return q.timeline.limitBytes == 0; });
  ASSERT_TRUE(off);
  EXPECT_EQ(off->timeline.usedBytes, 0u);
}

TEST(RunnerRewind, AStateThatIsTooLargeIsSaidPlainly) {
  Scenario large = test::fakeScenario();
  large.parameters.emplace_back("n", std::int64_t{100000});
  Runner runner({}, large, test::fakeModes);
  runner.keepMoments(1 << 20);
  stepsByHand(runner, 3);
  const PublicationPtr p =
      await(runner, [](const Publication& q) { return isAt(q, 3) && !q.messages.empty(); });
  ASSERT_TRUE(p);
  EXPECT_GT(p->timeline.needed, 1u << 20);
  ASSERT_EQ(p->messages.size(), 1u) << "once";
  EXPECT_NE(p->messages[0].text.find("a snapshot takes 2 MiB, and two do not fit into the 1 MiB"),
            std::string::npos)
      << p->messages[0].text;
}

TEST(RunnerRewind, EveryPublicationIsAnnounced) {
  std::atomic<int> announced{0};
  Runner runner({}, test::fakeScenario(), test::fakeModes);
  runner.onPublish([&] { ++announced; });
  const PublicationPtr first = await(runner, [](const Publication&) { return true; });
  ASSERT_TRUE(first);
  const int before = announced;
  runner.step();
  ASSERT_TRUE(await(runner, [](const Publication& p) { return isAt(p, 1); }));
  EXPECT_TRUE(test::until([&] { return announced > before; }));
  runner.onPublish({});
}

Scenario named(const std::string& title, std::int64_t walkers) {
  Scenario s = test::fakeScenario();
  s.title = title;
  s.parameters.emplace_back("n", walkers);
  return s;
}

bool shows(const Publication& p, const std::string& title, std::uint64_t step) {
  return p.scenario->title == title && p.step == step && !p.setup;
}

TEST(RunnerUndo, AnotherScenarioCanBeTakenBack) {
  Runner runner({}, named("first", 16), test::fakeModes);
  for (int i = 0; i < 7; ++i) runner.step();
  const PublicationPtr before =
      await(runner, [](const Publication& p) { return shows(p, "first", 7); });
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->canUndo);
  runner.open(named("second", 25));
  PublicationPtr p = await(runner, [](const Publication& q) { return shows(q, "second", 0); });
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->canUndo);
  EXPECT_EQ(p->particles, 25u);
  ASSERT_FALSE(p->messages.empty());
  EXPECT_EQ(p->messages.back().text, "\"second\" is open; Ctrl+Z goes back to \"first\" at step 7");

  runner.step();
  runner.reset();  // taken back first, as it came last
  ASSERT_TRUE(await(runner, [](const Publication& q) { return shows(q, "second", 0); }));
  runner.undo();
  ASSERT_TRUE(await(runner, [](const Publication& q) { return shows(q, "second", 1); }));
  runner.undo();
  p = await(runner, [](const Publication& q) { return shows(q, "first", 7); });
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->canUndo);
  EXPECT_EQ(p->particles, 16u);
  EXPECT_EQ(p->observables[0].samples, before->observables[0].samples);
  for (int i = 0; i < 3; ++i) runner.step();  // and goes on as if nothing had been
  ASSERT_TRUE(await(runner, [](const Publication& q) { return shows(q, "first", 10); }));
  std::uint64_t hash = 0;
  runner.finish([&](Session& s) { hash = test::hashOf(s.mode().configuration()); });
  Session alone(named("first", 16), {}, test::fakeModes);
  alone.advance(p->step);
  EXPECT_NE(hash, test::hashOf(alone.mode().configuration()));
  alone.advance(3);
  EXPECT_EQ(hash, test::hashOf(alone.mode().configuration()));
}

TEST(RunnerUndo, ALoadedCheckpointCanBeTakenBack) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "cellscope-undo.checkpoint").string();
  Runner runner({}, named("first", 16), test::fakeModes);
  for (int i = 0; i < 3; ++i) runner.step();
  runner.saveCheckpoint(path);
  for (int i = 0; i < 5; ++i) runner.step();
  ASSERT_TRUE(await(runner, [](const Publication& p) { return shows(p, "first", 8); }));
  runner.loadCheckpoint(path);
  ASSERT_TRUE(await(runner, [](const Publication& p) { return shows(p, "first", 3); }));
  runner.undo();
  EXPECT_TRUE(await(runner, [](const Publication& p) { return shows(p, "first", 8); }));
  std::filesystem::remove(path);
}

TEST(RunnerUndo, AScenarioThatCannotBeOpenedLeavesNothingToUndo) {
  Runner runner({}, named("first", 16), test::fakeModes);
  ASSERT_TRUE(await(runner, [](const Publication& p) { return shows(p, "first", 0); }));
  runner.open(named("second", -1));
  const PublicationPtr p =
      await(runner, [](const Publication& q) { return !q.messages.empty() && !q.setup; });
  ASSERT_TRUE(p);
  EXPECT_EQ(p->messages.back().severity, Severity::error);
  EXPECT_FALSE(p->canUndo);
}

}  // namespace
}  // namespace cellscope
