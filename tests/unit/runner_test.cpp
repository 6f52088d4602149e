// The Runner: never waits, never changes the trajectory, survives whatever the mode throws.
#include <fstream>

#include "sim/io/formats/format.h"
#include "tests/support/message_of.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

using RunnerOfFake = FakeRunner;

TEST_F(RunnerOfFake, StartsPausedAtStepZero) {
  const PublicationPtr p = await(runner, [](const Publication&) { return true; });
  EXPECT_EQ(p->step, 0u);
  EXPECT_FALSE(p->playing);
  EXPECT_EQ(p->mode->key, "fake");
  EXPECT_EQ(p->frame->layers.size(), 1u);
  EXPECT_EQ(p->particles, 16u);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(runner.latest()->step, 0u);
}

TEST_F(RunnerOfFake, StepsAndPhases) {
  runner.stepPhase();
  await(runner, [](const Publication& p) { return p.step == 0 && p.nextPhase == 1; });
  runner.step();  // completes the step that was begun
  await(runner, [](const Publication& p) { return p.step == 1 && p.nextPhase == 0; });
  runner.step();
  await(runner, atStep(2));
}

TEST(Runner, FinishShowsTheStateOnceMoreAndThrowsWhatTheLookThrows) {
  for (const bool bad : {false, true}) {
    Runner runner({}, fakeScenario(), fakeModes);
    runner.stepPhase();
    await(runner, [](const Publication& p) { return p.nextPhase == 1; });
    std::uint64_t step = 0;
    const auto look = [&](Session& session) {
      session.finishStep();
      step = session.step();
      if (bad) throw RunError("no");
    };
    if (bad)
      EXPECT_THROW(runner.finish(look), RunError);
    else
      EXPECT_TRUE(runner.finish(look));
    EXPECT_EQ(step, 1u);
    runner.step();  // the thread that would do it has ended
    EXPECT_EQ(runner.latest()->step, 0u);
  }
  Scenario wrong = fakeScenario();
  wrong.mode = "no such mode";
  Runner runner({}, wrong, fakeModes);
  EXPECT_FALSE(runner.finish([](Session&) { FAIL() << "there is no state"; }));
}

TEST(Runner, LookingNeverWaitsForASlowStep) {
  Runner runner({}, fakeScenario({{"delay", 500.0}}), fakeModes);
  await(runner, [](const Publication&) { return true; });
  runner.play(true);
  int looks = 0;
  for (Patience patience; runner.latest()->step < 1 && !patience.over(); ++looks) {
    runner.setView({});
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(runner.latest()->step, 1u);
  EXPECT_GT(looks, 5) << "in one step; those that wait for it are one or two";
}

TEST(Runner, SaysHowLongItHasBeenBusy) {
  Runner runner({}, fakeScenario({{"delay", 400.0}}), fakeModes);
  await(runner, [](const Publication&) { return true; });
  const auto secondsSince = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  const auto rests = [&] { until([&] { return runner.busySeconds() <= 0; }); };
  rests();
  const auto asked = Clock::now();
  runner.step();
  // The step, and perhaps what the runner does before and after it.
  std::optional<Clock::time_point> seen;
  int periods = 0;
  const PublicationPtr p = await(runner, [&](const Publication& q) {
    const double atLeast = seen ? secondsSince(*seen) : 0, busy = runner.busySeconds();
    if (busy > 0) {
      EXPECT_LE(busy, secondsSince(asked));
      if (!seen || busy < atLeast) ++periods, seen = Clock::now();
    }
    return q.step == 1;
  });
  EXPECT_TRUE(seen);
  EXPECT_LE(periods, 3) << "the seconds count from the beginning of the step";
  rests();
  EXPECT_EQ(runner.busySeconds(), 0.0);
}

TEST(Runner, TrajectoryDoesNotDependOnWhoLooks) {
  Scenario scenario = fakeScenario();
  scenario.speedLimit = 4000;
  for (const auto pause : {0us, 700us, 30000us}) {
    const std::string path = fileFor("frame.xyz");
    Runner runner({}, scenario, fakeModes);
    runner.play(true);
    await(
        runner, [](const Publication& p) { return p.step > 300; }, pause);
    runner.play(false);
    runner.saveTrajectoryFrame(path);
    const auto p = await(runner, speaks);
    EXPECT_EQ(hashOf(io::readConfiguration(path).configuration), hashOfFake(p->step)) << p->step;
    for (const double step : std::vector<double>(p->observables[0].step))
      EXPECT_EQ(std::fmod(step, 5), 0) << "samples come at multiples of sampleEvery";
    EXPECT_EQ(p->observables[0].samples, p->step / 5);
  }
}

TEST(Runner, SpeedLimitHolds) {
  Scenario scenario = fakeScenario();
  scenario.speedLimit = 50;
  Runner runner({}, scenario, fakeModes);
  const auto start = Clock::now();
  runner.play(true);
  await(runner, [](const Publication& p) { return p.step >= 30; });
  EXPECT_GE(Clock::now() - start, 500ms);
}

TEST_F(RunnerOfFake, ChangesRestartTheAveragesVisibly) {
  runner.play(true);
  await(runner, [](const Publication& p) { return p.step > 100; });
  runner.set("size", 0.2);
  const PublicationPtr p =
      await(runner, [](const Publication& q) { return q.observables[0].epochStart > 0; });
  EXPECT_LE(p->observables[0].samples, (p->step - p->observables[0].epochStart) / 5 + 1);
  EXPECT_FALSE(p->observables[0].step.empty());
  EXPECT_EQ(std::get<double>(p->parameters[2].value), 0.2);
}

TEST_F(RunnerOfFake, BadInputLeavesTheRunAsItWas) {
  runner.play(true);
  runner.set("size", 7.0);
  PublicationPtr p = await(runner, [](const Publication& q) { return q.messages.size() == 1; });
  EXPECT_EQ(p->messages[0].severity, Severity::error);
  expectWords(p->messages[0].text, {"0.001 to 0.5 sigma"});
  EXPECT_TRUE(p->playing);
  runner.set("diameter", 0.95);  // refused by the mode itself
  runner.set("n", std::int64_t{13});
  p = await(runner, [](const Publication& q) { return q.messages.size() == 3; });
  EXPECT_EQ(std::get<double>(p->parameters[3].value), 0.5);
  EXPECT_EQ(std::get<std::int64_t>(p->parameters[0].value), 16);
  EXPECT_FALSE(p->canUndo);
}

TEST_F(RunnerOfFake, AFailingModePausesWithAMessage) {
  runner.set("fail_at", std::int64_t{40});
  runner.play(true);
  const PublicationPtr p = await(runner, speaks);
  expectWords(p->messages[0].text, {"exhausted"});
  EXPECT_FALSE(p->playing);
  runner.set("fail_at", std::int64_t{0});
  runner.play(true);
  await(runner, [](const Publication& q) { return q.step > 50; });
}

TEST_F(RunnerOfFake, AnInternalCheckPausesAndTheStateIsSavedOnce) {
  std::vector<std::uint64_t> saved;  // steps
  runner.onInternalError([&](Session& s) {
    saved.push_back(s.step());
    return std::string("fake-failed.checkpoint");
  });
  runner.set("break_at", std::int64_t{40});
  PublicationPtr p;
  for (const bool first : {true, false}) {
    runner.play(true);
    p = await(runner, [&](const Publication& q) {
      return !q.playing && q.messages.size() == (first ? 1u : 2u);
    });
    const std::string& text = p->messages.back().text;
    expectWords(text, {"internal check failed: active().breakAt"});
    const bool told =
        text.find("the state after step 39 was saved in fake-failed.checkpoint") != text.npos;
    EXPECT_EQ(told, first) << text;
    EXPECT_EQ(p->step, 39u);
  }
  EXPECT_TRUE(runner.finish([&](Session&) { EXPECT_EQ(saved, std::vector<std::uint64_t>{39}); }));
}

TEST_F(RunnerOfFake, RunningOutOfMemoryIsSaidAndKeepsTheState) {
  runner.step();
  await(runner, atStep(1));
  runner.set("n", std::int64_t{14});
  const PublicationPtr p = await(runner, speaks);
  expectWords(p->messages[0].text, {"out of memory"});
  EXPECT_EQ(p->step, 1u);
}

// A layer for which there is no memory, say: it fails with every picture.
TEST_F(RunnerOfFake, APictureThatCannotBeMadeIsSaidOnceAndNothingIsLost) {
  runner.step();
  await(runner, atStep(1));
  runner.setView({{"walkers", "impossible"}, "", -1});
  PublicationPtr p = await(runner, speaks);
  expectWords(p->messages[0].text, {"no memory for this layer"});
  for (int k = 0; k < 30; ++k) {
    runner.latest();
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(runner.latest()->messages.size(), 1u);
  runner.setView({{"walkers"}, "", -1});
  runner.play(true);
  await(runner, [](const Publication& q) { return q.frame->step > 50; });
}

TEST(Runner, AScenarioThatCannotStartIsReported) {
  Scenario bad = fakeScenario();
  bad.mode = "no such mode";
  Runner runner({}, bad, fakeModes);
  ASSERT_TRUE(until([&] { return runner.latest() && !runner.latest()->messages.empty(); }));
  ASSERT_EQ(runner.latest()->messages.size(), 1u);
  runner.play(true);
  runner.reset();  // nothing to reset: no crash
  runner.open(fakeScenario());
  await(runner, [](const Publication& p) { return p.mode != nullptr; });
}

TEST_F(RunnerOfFake, OpeningPausesAndPlaysAsTheScenarioAsks) {
  Scenario other = fakeScenario();
  other.title = "another";
  for (const bool plays : {true, false, true}) {
    runner.open(other, plays);
    EXPECT_TRUE(await(runner, [&](const Publication& p) {
      return p.scenario->title == "another" && p.playing == plays && (p.step > 20) == plays;
    })) << plays;
  }
}

TEST_F(RunnerOfFake, UndoBringsBackTheStateBeforeARestart) {
  const std::string before = fileFor("before.xyz"), after = fileFor("after.xyz");
  stepsByHand(runner, 12);
  runner.set("size", 0.3);
  runner.step();
  runner.saveTrajectoryFrame(before);
  runner.set("n", std::int64_t{50});
  PublicationPtr p = await(runner, [](const Publication& q) { return q.particles == 50; });
  EXPECT_EQ(p->step, 0u);
  ASSERT_TRUE(p->canUndo);
  runner.undo();
  runner.saveTrajectoryFrame(after);
  p = await(runner, [](const Publication& q) { return q.messages.size() == 2; });
  EXPECT_EQ(p->step, 13u);
  EXPECT_FALSE(p->canUndo);
  EXPECT_EQ(std::get<std::int64_t>(p->parameters[0].value), 16);
  EXPECT_EQ(std::get<double>(p->parameters[2].value), 0.3);
  EXPECT_EQ(hashOf(io::readConfiguration(before).configuration),
            hashOf(io::readConfiguration(after).configuration));
}

TEST_F(RunnerOfFake, PicksAndShowsExperiments) {
  runner.pick({});
  runner.set("broken", true);
  const PublicationPtr p =
      await(runner, [](const Publication& q) { return !q.experiments.empty(); });
  EXPECT_EQ(p->experiments[0], "Broken on purpose");
  EXPECT_EQ(p->frame->picked.id, 3);
  EXPECT_EQ(p->frame->checks.size(), 1u);
}

TEST_F(RunnerOfFake, StartsFromACheckpoint) {
  const std::string path = fileFor("start.checkpoint");
  {
    stepsByHand(runner, 7);
    runner.saveCheckpoint(path);
    await(runner, speaks);
  }
  Runner again({}, Runner::Checkpoint{path}, fakeModes);
  EXPECT_EQ(await(again, atStep(7))->scenario->name, fakeScenario().name);
  std::ofstream(path, std::ios::app) << "x";
  Runner damaged({}, Runner::Checkpoint{path}, fakeModes);
  damaged.play(true);  // has no session to act on
  PublicationPtr q;
  ASSERT_TRUE(until([&] { return (q = damaged.latest()) && !q->messages.empty(); }));
  EXPECT_EQ(q->messages.back().severity, Severity::error);
  EXPECT_FALSE(q->mode);
}

TEST_F(RunnerOfFake, EndsWhileBusy) {
  for (int i = 0; i < 20; ++i) {
    runner.play(true);
    runner.reset();
    if (i % 2) runner.latest();
  }
}

// A window that draws on the processor: it is never waited for long, and commands wait for nothing.
TEST(RunnerTest, GivesWayToPicturesButForOneBatchAfterEach) {
  Runner runner({}, fakeScenario(), fakeModes);
  runner.play(true);
  PublicationPtr p = await(runner, [](const Publication& q) { return q.step > 0; });
  runner.giveWay(true);
  for (int pictures = 0; pictures < 5; ++pictures) {
    const std::uint64_t before = p->step;
    p = await(runner, [&](const Publication& q) {
      runner.giveWay(false);  // the next one begins at once
      runner.giveWay(true);
      return q.step > before;
    });
    ASSERT_TRUE(p) << pictures;
  }
  runner.play(false);
  await(runner, [](const Publication& q) { return !q.playing; });
  runner.step();
  const std::uint64_t before = p->step;
  await(runner, [&](const Publication& q) { return q.step > before; });
}

}  // namespace
}  // namespace cellscope::test
