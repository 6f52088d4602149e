// Going back on the Runner's thread, step by step and to what was open before.
#include "tests/support/message_of.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLimit = 64 << 20;

class RunnerRewind : public FakeRunner {};

TEST_F(RunnerRewind, IsOffUntilItHasMemory) {
  stepsByHand(runner, 3);
  await(runner, atStep(3));
  runner.stepBack();
  stepsByHand(runner, 1);
  const PublicationPtr p = await(runner, atStep(4));
  EXPECT_EQ(p->timeline.usedBytes, 0u);
  EXPECT_TRUE(p->timeline.steps.empty());
}

TEST_F(RunnerRewind, BackForwardAndABranch) {
  runner.keepMoments(kLimit);
  stepsByHand(runner, 40);
  PublicationPtr p = await(runner, atStep(40));
  EXPECT_GE(p->timeline.steps.size(), 1u);
  EXPECT_EQ(p->timeline.limitBytes, kLimit);
  EXPECT_FALSE(p->timeline.behind);
  runner.stepBack();
  runner.stepBack();
  p = await(runner, atStep(38));
  EXPECT_TRUE(p->timeline.behind);
  EXPECT_EQ(p->timeline.end, 40u);
  ASSERT_EQ(p->timeline.branches.size(), 1u);
  EXPECT_TRUE(p->timeline.branches[0].ahead);
  runner.forwardToEnd();
  ASSERT_TRUE(
      await(runner, [](const Publication& q) { return atStep(40)(q) && !q.timeline.behind; }));
  for (int i = 0; i < 5; ++i) runner.stepBack();
  await(runner, atStep(35));
  runner.set("size", 0.3);
  p = await(runner, speaks);
  EXPECT_EQ(p->messages.back().text.find("A new branch of the run begins at step 35"), 0u)
      << p->messages.back().text;
  EXPECT_FALSE(p->timeline.behind);
  runner.forwardToEnd();  // there is nothing ahead any more
  stepsByHand(runner, 10);
  p = await(runner, atStep(45));
  ASSERT_EQ(p->timeline.branches.size(), 1u);
  EXPECT_FALSE(p->timeline.branches[0].ahead);
  EXPECT_EQ(p->timeline.branches[0].from, 35u);
  EXPECT_EQ(p->timeline.branches[0].to, 40u);
  runner.finish([](Session& s) {
    ASSERT_EQ(s.log().edits.size(), 1u);
    EXPECT_EQ(s.log().edits[0].step, 35u);
    expectReplayed(s);
  });
}

TEST_F(RunnerRewind, APlayingRunKeepsMomentsAndScrubbingPausesIt) {
  runner.keepMoments(kLimit);
  runner.play(true);
  PublicationPtr p =
      await(runner, [](const Publication& q) { return q.timeline.steps.size() >= 4; });
  const std::uint64_t second = p->timeline.steps[1];
  for (std::uint64_t k = 0; k < 20; ++k) runner.goNear(second + k % 2);  // as a drag does
  p = await(runner, [](const Publication& q) { return q.timeline.behind; });
  EXPECT_FALSE(p->playing);
  EXPECT_EQ(p->step, second);
  const std::uint64_t end = p->timeline.end;
  runner.play(true);  // the same run again, and beyond
  p = await(runner, [&](const Publication& q) { return q.step > end; });
  EXPECT_FALSE(p->timeline.behind);
  EXPECT_TRUE(p->timeline.branches.empty());
  runner.finish([](Session& s) { expectReplayed(s); });
}

TEST(RunnerRewinds, AnotherScenarioFreesTheMemory) {
  Runner runner({}, fakeScenario({{"n", std::int64_t{20000}}}), fakeModes);
  runner.keepMoments(kLimit);
  stepsByHand(runner, 30);
  const PublicationPtr before = await(runner, atStep(30));
  EXPECT_GT(before->timeline.usedBytes, 300000u);
  runner.open(fakeScenario());
  const PublicationPtr after =
      await(runner, [](const Publication& q) { return atStep(0)(q) && !q.timeline.steps.empty(); });
  EXPECT_LT(after->timeline.usedBytes, 100000u);
  EXPECT_EQ(after->timeline.steps.size(), 1u);
  EXPECT_NE(after->timeline.run, before->timeline.run);
  runner.keepMoments(0);
  const PublicationPtr off =
      await(runner, [](const Publication& q) { return q.timeline.limitBytes == 0; });
  EXPECT_EQ(off->timeline.usedBytes, 0u);
}

TEST(RunnerRewinds, AStateThatIsTooLargeIsSaidPlainly) {
  Runner runner({}, fakeScenario({{"n", std::int64_t{100000}}}), fakeModes);
  runner.keepMoments(1 << 20);
  stepsByHand(runner, 3);
  const PublicationPtr p =
      await(runner, [](const Publication& q) { return atStep(3)(q) && speaks(q); });
  EXPECT_GT(p->timeline.needed, 1u << 20);
  ASSERT_EQ(p->messages.size(), 1u) << "once";
  expectWords(p->messages[0].text, {"a snapshot takes 2 MiB, and two do not fit into the 1 MiB"});
}

TEST_F(RunnerRewind, EveryPublicationIsAnnounced) {
  std::atomic<int> announced{0};
  runner.onPublish([&] { ++announced; });
  const PublicationPtr first = await(runner, [](const Publication&) { return true; });
  const int before = announced;
  runner.step();
  await(runner, atStep(1));
  EXPECT_TRUE(until([&] { return announced > before; }));
  runner.onPublish({});
}

Scenario named(const std::string& title, std::int64_t walkers) {
  Scenario s = fakeScenario({{"n", walkers}});
  s.title = title;
  return s;
}

auto shows(const std::string& title, std::uint64_t step) {
  return [=](const Publication& p) { return p.scenario->title == title && atStep(step)(p); };
}

TEST(RunnerUndo, AnotherScenarioCanBeTakenBack) {
  Runner runner({}, named("first", 16), fakeModes);
  stepsByHand(runner, 7);
  const PublicationPtr before = await(runner, shows("first", 7));
  EXPECT_FALSE(before->canUndo);
  runner.open(named("second", 25));
  PublicationPtr p = await(runner, shows("second", 0));
  EXPECT_TRUE(p->canUndo);
  EXPECT_EQ(p->particles, 25u);
  ASSERT_FALSE(p->messages.empty());
  EXPECT_EQ(p->messages.back().text, "\"second\" is open; Ctrl+Z goes back to \"first\" at step 7");

  runner.step();
  runner.reset();  // taken back first, as it came last
  await(runner, shows("second", 0));
  runner.undo();
  await(runner, shows("second", 1));
  runner.undo();
  p = await(runner, shows("first", 7));
  EXPECT_FALSE(p->canUndo);
  EXPECT_EQ(p->particles, 16u);
  EXPECT_EQ(p->observables[0].samples, before->observables[0].samples);
  stepsByHand(runner, 3);  // and goes on as if nothing had been
  await(runner, shows("first", 10));
  std::uint64_t hash = 0;
  runner.finish([&](Session& s) { hash = hashOf(s); });
  EXPECT_NE(hash, hashOfFake(p->step, named("first", 16)));
  EXPECT_EQ(hash, hashOfFake(p->step + 3, named("first", 16)));
}

TEST(RunnerUndo, ALoadedCheckpointCanBeTakenBack) {
  const std::string path = fileFor("undo.checkpoint");
  Runner runner({}, named("first", 16), fakeModes);
  stepsByHand(runner, 3);
  runner.saveCheckpoint(path);
  stepsByHand(runner, 5);
  await(runner, shows("first", 8));
  runner.loadCheckpoint(path);
  await(runner, shows("first", 3));
  runner.undo();
  await(runner, shows("first", 8));
  runner.saveCheckpoint("/no/such/folder/run.checkpoint");
  const PublicationPtr p = await(runner, [](const Publication& q) {
    return speaks(q) && q.messages.back().severity == Severity::error;
  });
  expectWords(p->messages.back().text, {"there is no folder"});
}

TEST(RunnerUndo, AScenarioThatCannotBeOpenedLeavesNothingToUndo) {
  Runner runner({}, named("first", 16), fakeModes);
  await(runner, shows("first", 0));
  runner.open(named("second", -1));
  const PublicationPtr p =
      await(runner, [](const Publication& q) { return speaks(q) && !q.setup; });
  EXPECT_EQ(p->messages.back().severity, Severity::error);
  EXPECT_FALSE(p->canUndo);
}

}  // namespace
}  // namespace cellscope::test
