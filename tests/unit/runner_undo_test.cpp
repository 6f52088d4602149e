// What was open is not lost when something else is opened.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "sim/run/runner.h"
#include "sim/run/session.h"
#include "tests/support/fake_mode.h"
#include "tests/support/runner_tools.h"

namespace cellscope {
namespace {

using namespace std::chrono_literals;
using test::await;
using test::PublicationPtr;

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
