// What takes long: set-ups and steps. How far they are, given up, replaced, one after the other,
// and the end of the program; interrupted in a batch run.
#include <signal.h>
#include <unistd.h>

#include <set>

#include "app/cli/batch_run.h"
#include "tests/support/message_of.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

using namespace std::chrono_literals;

TEST(RunnerSetups, ASetupTellsHowFarItIs) {
  Runner runner({}, fakeScenario({{"setup_time", 300.0}}), fakeModes);
  std::vector<double> seen;
  PublicationPtr p;
  ASSERT_TRUE(until([&] {
    p = runner.latest();
    if (p && p->setup && p->setup->stage) {
      EXPECT_EQ(p->setup->name, "Opening \"fake\"");
      EXPECT_FALSE(p->setup->isStep);
      EXPECT_EQ(p->setup->then, "then the run is ready");
      EXPECT_EQ(p->setup->stage->label, "placing walkers");
      seen.push_back(p->setup->stage->progress);
    }
    return p && p->mode;
  }));
  EXPECT_FALSE(p->setup);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_GE(seen.size(), 3u);
}

// Waits until a set-up is in hand; its number.
std::uint64_t awaitSetup(const Runner& runner) {
  PublicationPtr p;
  const auto begun = [&] { return (p = runner.latest()) && p->setup && p->setup->stage; };
  return until(begun) ? p->setup->number : 0;
}

// 0: none is in hand.
double progressOf(const Runner& runner) {
  const PublicationPtr p = runner.latest();
  return p->setup && p->setup->stage ? p->setup->stage->progress : 0;
}

class RunnerSetup : public FakeRunner {};

TEST_F(RunnerSetup, ACancelledSetupKeepsTheOldState) {
  const std::string before = fileFor("kept.xyz"), after = fileFor("still.xyz");
  stepsByHand(runner, 12);
  runner.set("setup_time", 60000.0);
  runner.saveTrajectoryFrame(before);
  const Scenario other = fakeScenario({{"setup_time", 60000.0}});
  const std::function<void()> changes[] = {[&] { runner.reset(); },
                                           [&] { runner.set("n", std::int64_t{50}); },
                                           [&] { runner.open(other, true); }};
  std::size_t messages = 1;
  for (const auto& change : changes) {
    change();
    const std::uint64_t number = awaitSetup(runner);
    ASSERT_NE(number, 0u);
    const double progress = progressOf(runner);
    runner.cancel(number - 1);  // too late for the one before: it goes on
    ASSERT_TRUE(until([&] { return progressOf(runner) > progress; }));
    runner.cancel(number);
    ++messages;
    const PublicationPtr p =
        await(runner, [&](const Publication& q) { return q.messages.size() == messages; });
    expectWords(p->messages.back().text, {"as it was before"});
    EXPECT_EQ(p->step, 12u);
    EXPECT_EQ(p->particles, 16u);
    EXPECT_EQ(std::get<std::int64_t>(p->parameters[0].value), 16);
    EXPECT_FALSE(p->playing);
    EXPECT_FALSE(p->canUndo);
    EXPECT_FALSE(p->setup);
  }
  runner.saveTrajectoryFrame(after);
  await(runner, [&](const Publication& q) { return q.messages.size() > messages; });
  EXPECT_EQ(hashOf(io::readConfiguration(before).configuration),
            hashOf(io::readConfiguration(after).configuration));
}

TEST(RunnerSetups, TheFirstSetupCanBeCancelledAndAnotherScenarioOpened) {
  Runner runner({}, fakeScenario({{"setup_time", 60000.0}}), fakeModes);
  runner.cancel(awaitSetup(runner));
  PublicationPtr p;
  ASSERT_TRUE(until([&] { return (p = runner.latest()) && !p->messages.empty(); }));
  expectWords(p->messages[0].text, {"nothing is open"});
  runner.open(fakeScenario(), true);
  await(runner, [](const Publication& q) { return q.mode && q.step > 3; });
}

TEST(RunnerSetups, EndsWithoutTheSetupInHand) {
  const Scenario slow = fakeScenario({{"setup_time", 60000.0}});
  auto runner = std::make_unique<Runner>(ExecConfig{}, slow, fakeModes);
  const std::uint64_t before = FakeMode::completedSetups();
  awaitSetup(*runner);
  runner.reset();
  EXPECT_EQ(FakeMode::completedSetups(), before);
}

constexpr double kMinute = 60000;  // milliseconds

bool isLong(const Publication& p) { return p.setup && p.setup->stage; }

double delayOf(const Publication& p) {
  for (const ParameterState& s : p.parameters)
    if (s.info.key == "delay") return std::get<double>(s.value);
  return -1;
}

// The state as the end of the program finds it.
void expectAt(Runner& runner, std::uint64_t step) {
  EXPECT_TRUE(runner.finish([&](Session& s) {
    EXPECT_EQ(s.step(), step);
    EXPECT_EQ(hashOf(s), hashOfFake(step));
  }));
}

class RunnerLongStep : public FakeRunner {};

// One of a run that plays, and a single one.
TEST_F(RunnerLongStep, TellsHowFarItIsAndCanBeCancelled) {
  stepsByHand(runner, 3);
  for (const bool plays : {true, false}) {
    SCOPED_TRACE(plays);
    const std::uint64_t before = plays ? 3 : 7;
    runner.set("delay", kMinute);
    if (plays)
      runner.play(true);
    else
      runner.step();
    std::vector<double> shares;
    PublicationPtr p;
    while (shares.size() < 5) {
      p = await(runner, [&](const Publication& q) {
        return isLong(q) && (shares.empty() || q.setup->stage->progress > shares.back());
      });
      shares.push_back(p->setup->stage->progress);
    }
    const std::string name = "Step " + std::to_string(before + 1);
    EXPECT_EQ(p->setup->name, name);
    EXPECT_TRUE(p->setup->isStep);
    EXPECT_EQ(p->setup->stage->label, "walking");
    EXPECT_LT(shares.back(), 0.5);
    runner.cancel(p->setup->number);
    const std::size_t said = plays ? 1 : 2;
    p = await(runner, [&](const Publication& q) { return !q.setup && q.messages.size() == said; });
    EXPECT_EQ(p->messages.back().text, name + " was cancelled: everything is as it was before.");
    EXPECT_FALSE(p->playing);
    EXPECT_EQ(p->step, before);
    runner.set("delay", 0.0);
    stepsByHand(runner, 4);
    await(runner, atStep(before + 4));
  }
  expectAt(runner, 11);
}

// Opening something else completes the current step; that given up, nothing is opened.
TEST_F(RunnerLongStep, AHalfDoneOneIsNotLostByOpeningSomethingElse) {
  stepsByHand(runner, 3);
  runner.set("delay", kMinute);
  runner.stepPhase();
  await(runner, [](const Publication& q) { return q.step == 3 && q.nextPhase == 1; });
  runner.open(fakeScenario());
  const PublicationPtr p = await(
      runner, [](const Publication& q) { return isLong(q) && q.setup->stage->label == "walking"; });
  runner.cancel(p->setup->number);
  const PublicationPtr after =
      await(runner, [](const Publication& q) { return !q.setup && speaks(q); });
  expectWords(after->messages.back().text, {"as it was before"});
  EXPECT_EQ(after->step, 3u);
  EXPECT_EQ(after->nextPhase, 1);
}

// What is asked for while a long step goes on is seen when it ends, not after the next one.
TEST_F(RunnerLongStep, WhatIsAskedForMeanwhileIsSeenBeforeTheNext) {
  runner.set("delay", 1500.0);
  runner.play(true);
  const PublicationPtr p = await(runner, isLong);
  runner.set("delay", kMinute);
  const std::uint64_t step = runner.latest()->step;
  const PublicationPtr after =
      await(runner, [](const Publication& q) { return delayOf(q) == kMinute && q.playing; });
  EXPECT_LE(after->step, step + 1);
}

TEST_F(RunnerLongStep, NoneIsShownWhileTheSpeedLimitHolds) {
  runner.set("delay", 1500.0);
  runner.setSpeedLimit(0.3);
  runner.play(true);
  await(runner, [](const Publication& q) { return q.step == 1 && !q.setup; });
}

// The card stays where it is while one long step follows the other, and goes when they are short.
TEST_F(RunnerLongStep, ThoseInARowAreOneWait) {
  runner.set("delay", 2000.0);
  runner.play(true);
  const PublicationPtr first = await(runner, isLong);
  std::set<std::uint64_t> numbers = {first->setup->number};
  std::set<std::string> names = {first->setup->name};
  await(runner, [&](const Publication& q) {
    EXPECT_TRUE(q.setup) << q.step;
    if (q.setup) numbers.insert(q.setup->number), names.insert(q.setup->name);
    return q.step == 3;
  });
  EXPECT_EQ(numbers.size(), 1u);
  for (const char* name : {"Step 1", "Step 2", "Step 3"}) EXPECT_TRUE(names.count(name)) << name;
  runner.set("delay", 0.0);
  await(runner, [](const Publication& q) { return !q.setup && q.step > 10; });
}

TEST_F(RunnerLongStep, ShortOnesAreNotShown) {
  runner.set("delay", 300.0);
  runner.play(true);
  await(runner, [&](const Publication& q) {
    EXPECT_FALSE(q.setup);
    return q.step == 4;
  });
}

TEST_F(RunnerLongStep, IsNotWaitedForAtTheEnd) {
  stepsByHand(runner, 5);
  runner.set("delay", kMinute);
  runner.play(true);
  await(runner, [](const Publication& q) { return q.playing && q.step == 5; });
  expectAt(runner, 5);  // not 6, a minute later
}

// One batch had enough short steps to take hours with the new ones.
TEST_F(RunnerLongStep, AfterShortOnesItsBatchIsSmall) {
  runner.play(true);
  await(runner, [](const Publication& q) { return q.step > 20000; });
  runner.set("delay", 50.0);
  const PublicationPtr first =
      await(runner, [](const Publication& q) { return delayOf(q) == 50.0; });
  await(runner, [&](const Publication& q) { return q.step > first->step; });
  runner.play(false);
  await(runner, [](const Publication& q) { return !q.playing; });
}

TEST(BatchLongStep, IsGivenUpByAnInterrupt) {
  const std::string path = fileFor("a.checkpoint");
  Session before(fakeScenario(), {}, fakeModes);
  before.advance(7);
  before.set("delay", 60000.0);
  before.save(path);
  cli::RunOptions o;
  o.resume = o.checkpoint = path;
  o.steps = 5;
  o.hardware.backend = "cpu";
  o.quiet = true;
  const common::InterruptGuard interrupt;
  cli::BatchRun run(o, interrupt, fakeModes);
  std::thread wish([] {
    std::this_thread::sleep_for(300ms);
    ::kill(::getpid(), SIGINT);
  });
  EXPECT_EQ(run.run(), 85);
  wish.join();
  const auto after = Session::resume(path, {}, fakeModes);
  EXPECT_EQ(after->step(), 7u) << "a minute later it would be 8";
  EXPECT_EQ(hashOf(*after), hashOf(before));
}

}  // namespace
}  // namespace cellscope::test
