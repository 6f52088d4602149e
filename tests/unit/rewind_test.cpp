// Going back in a run and on again: bit for bit the run that was never left; and the bounded memory
// for its moments.
#include "sim/run/rewind.h"
#include "tests/support/modes.h"
#include "tests/support/replay.h"

namespace cellscope::test {
namespace {

constexpr std::size_t kPlenty = std::size_t{1} << 28;
constexpr double kAllTime = 1e9;  // every moment that may be kept is

std::string averageText(const Session& s) {
  std::ostringstream out;
  s.history().save(out);
  return std::move(out).str();
}

// A run by hand: every moment counts.
class RewoundRun : public testing::Test {
 protected:
  RewoundRun() {
    rewind.limitTo(kPlenty);
    rewind.look(s, true);
  }
  void stepByStep(std::uint64_t steps) {
    for (std::uint64_t k = 0; k < steps; ++k) {
      rewind.advance(s, 1);
      rewind.look(s, true);
    }
  }
  // Whether a branch begins.
  bool change(const char* key, const ParameterValue& value) {
    const std::size_t edits = s.log().edits.size();
    s.set(key, value);
    return rewind.changed(s, edits);
  }
  // The same run at the same step, from its log.
  std::string replayed() const { return saved(replay(s.log(), s.step(), {}, fakeModes)->mode()); }
  Session s{fakeScenario(), {}, fakeModes};
  Rewind rewind{kAllTime};
};

TEST_F(RewoundRun, GoesBackStepByStepAndForwardAgain) {
  EXPECT_FALSE(rewind.stepBack(s)) << "there is no step before the first";
  std::vector<std::string> states = {saved(s.mode())}, averages = {averageText(s)};
  for (int k = 0; k < 60; ++k) {
    stepByStep(1);
    states.push_back(saved(s.mode()));
    averages.push_back(averageText(s));
  }
  for (std::uint64_t step = 60; step-- > 0;) {
    ASSERT_TRUE(rewind.stepBack(s));
    ASSERT_EQ(s.step(), step);
    EXPECT_TRUE(saved(s.mode()) == states[step]) << step;
    EXPECT_TRUE(averageText(s) == averages[step]) << step;
    EXPECT_TRUE(rewind.behind());
  }
  EXPECT_FALSE(rewind.stepBack(s));
  ASSERT_TRUE(rewind.forwardToEnd(s));
  EXPECT_TRUE(saved(s.mode()) == states[60]);
  EXPECT_FALSE(rewind.behind());
  EXPECT_FALSE(rewind.forwardToEnd(s));
}

TEST_F(RewoundRun, RunningOnRepeatsTheRunWithItsChanges) {
  stepByStep(10);
  EXPECT_FALSE(change("size", 0.2));
  stepByStep(10);
  EXPECT_FALSE(change("prepare", true));  // eight units of preparation, and undo takes it back
  stepByStep(20);
  EXPECT_FALSE(change("size", 0.3));
  const std::uint64_t end = s.step();
  const std::string state = saved(s.mode());
  const RunLog log = s.log();
  ASSERT_EQ(log.edits.size(), 3u);
  EXPECT_TRUE(s.canUndo());

  ASSERT_TRUE(rewind.goNear(s, 5));
  EXPECT_EQ(s.step(), 5u);
  EXPECT_TRUE(s.log().edits.empty());
  EXPECT_FALSE(s.canUndo()) << "what could be undone has not happened yet";
  EXPECT_EQ(s.mode().parameters().at("size").get(), ParameterValue(0.1));
  while (rewind.behind()) {
    rewind.advance(s, 3 + s.step() % 4);
    rewind.look(s, false);
    ASSERT_LE(s.step(), end + 8);
  }
  EXPECT_EQ(s.log().edits, log.edits);
  EXPECT_TRUE(s.canUndo());
  EXPECT_TRUE(saved(s.mode()) == saved(replay(log, s.step(), {}, fakeModes)->mode()));
  if (s.step() == end) {
    EXPECT_TRUE(saved(s.mode()) == state);
  }
}

TEST_F(RewoundRun, AChangeBeginsABranchAndTheLogStaysTrue) {
  stepByStep(20);
  change("size", 0.2);
  stepByStep(30);
  ASSERT_TRUE(rewind.goNear(s, 10));
  const std::uint64_t from = s.step();
  EXPECT_TRUE(change("size", 0.05));
  EXPECT_FALSE(rewind.behind());
  stepByStep(30);
  const Timeline t = rewind.timeline(s);
  ASSERT_EQ(t.branches.size(), 1u);
  EXPECT_EQ(t.branches[0].from, from);
  EXPECT_EQ(t.branches[0].to, 50u);
  EXPECT_FALSE(t.branches[0].ahead);
  EXPECT_EQ(t.branches[0].series[0].step.back(), 50);
  EXPECT_EQ(t.end, from + 30);
  for (const std::uint64_t step : t.steps) EXPECT_LE(step, t.end);
  ASSERT_EQ(s.log().edits.size(), 1u);
  EXPECT_EQ(s.log().edits[0].step, from);
  EXPECT_TRUE(saved(s.mode()) == replayed());
  // Back on the new branch, every moment is one of it.
  ASSERT_TRUE(rewind.goNear(s, from + 12));
  EXPECT_TRUE(saved(s.mode()) == replayed());
}

TEST_F(RewoundRun, AnotherRunForgetsTheMomentsAndUndoKeepsThoseBefore) {
  stepByStep(20);
  change("prepare", true);
  stepByStep(20);
  rewind.undo(s);
  rewind.look(s, true);
  EXPECT_EQ(s.step(), 20u);
  EXPECT_GT(rewind.store().items().size(), 15u);
  for (const auto& item : rewind.store().items()) EXPECT_LE(item->step, 20u);
  s.reset();
  rewind.look(s, true);
  ASSERT_EQ(rewind.store().items().size(), 1u);
  EXPECT_EQ(rewind.store().items()[0]->step, 0u);
  rewind.limitTo(0);
  EXPECT_TRUE(rewind.store().items().empty());
  EXPECT_EQ(rewind.timeline(s).usedBytes, 0u);
}

// However small the share of the time that snapshots may take.
TEST(Rewind, SwitchedOnAgainItBeginsAtOnce) {
  Session s(fakeScenario(), {}, fakeModes);
  Rewind rewind(1e-12);
  for (int k = 0; k < 2; ++k) {
    rewind.limitTo(200000);
    rewind.look(s, true);
    EXPECT_EQ(rewind.store().items().size(), 1u);
    rewind.limitTo(0);
  }
}

TEST(Rewind, AStateTooLargeIsNamedUntilItIsSmaller) {
  Session s(fakeScenario({{"n", std::int64_t{10000}}}), {}, fakeModes);
  Rewind rewind(kAllTime);
  rewind.limitTo(200000);
  rewind.look(s, true);
  EXPECT_GT(rewind.needed(), 160000u);
  EXPECT_TRUE(rewind.store().items().empty());
  EXPECT_FALSE(rewind.stepBack(s));
  s.set("n", std::int64_t{100});
  rewind.look(s, true);
  EXPECT_EQ(rewind.needed(), 0u);
  EXPECT_EQ(rewind.store().items().size(), 1u);
}

TEST_F(RewoundRun, ACancelledWayBackLeavesTheRunWhereItWas) {
  rewind.advance(s, 500);  // nothing is kept on the way
  const std::string state = saved(s.mode());
  EXPECT_THROW(rewind.stepBack(s, [](double) { throw Cancelled(); }), Cancelled);
  EXPECT_TRUE(saved(s.mode()) == state);
  EXPECT_FALSE(rewind.behind());
  double last = 0;
  EXPECT_TRUE(rewind.stepBack(s, [&](double share) { last = share; }));
  EXPECT_EQ(last, 1);
  EXPECT_EQ(s.step(), 499u);
}

// The engines themselves, on one thread. Numbers of particles vary in the last.
class RewindOfMode : public testing::TestWithParam<const char*> {};

TEST_P(RewindOfMode, RunsOnBitForBit) {
  Scenario scenario = shipped(GetParam());
  for (const auto& [key, value] :
       {std::pair<const char*, std::int64_t>{"n", 500}, {"moves_per_step", 200}})
    for (auto& [name, old] : scenario.parameters)
      if (name == key) old = value;
  scenario.sampleEvery = 5;
  const ExecConfig one{Backend::cpu, 1};
  Session s(scenario, one), whole(scenario, one);
  s.finishPreparation();
  whole.finishPreparation();
  const std::uint64_t begin = s.step();
  Rewind rewind(kAllTime);
  rewind.limitTo(kPlenty);
  rewind.look(s, true);
  std::size_t least = s.mode().particleCount(), most = least;
  for (int k = 0; k < 12; ++k) {
    rewind.advance(s, 10);
    rewind.look(s, true);
    least = std::min(least, s.mode().particleCount());
    most = std::max(most, s.mode().particleCount());
  }
  EXPECT_EQ(least < most, scenario.mode == "gcmc");
  whole.advance(120);
  const std::string end = saved(whole.mode());
  EXPECT_TRUE(saved(s.mode()) == end);
  for (const std::uint64_t to : {begin + 100, begin + 33, begin}) {
    ASSERT_TRUE(rewind.goNear(s, to));
    ASSERT_LT(s.step(), begin + 120);
    s.mode().frame({});  // somebody looks
    while (rewind.behind()) {
      rewind.advance(s, std::min<std::uint64_t>(7, begin + 120 - s.step()));
      rewind.look(s, false);
    }
    EXPECT_TRUE(saved(s.mode()) == end) << to;
    EXPECT_TRUE(averageText(s) == averageText(whole)) << to;
  }
  ASSERT_TRUE(rewind.stepBack(s));
  Session before(scenario, one);
  before.finishPreparation();
  before.advance(119);
  EXPECT_TRUE(saved(s.mode()) == saved(before.mode()));
}

INSTANTIATE_TEST_SUITE_P(All, RewindOfMode,
                         testing::Values("hexatic", "argon", "gcmc_near_critical"),
                         [](const auto& one) { return std::string(one.param); });

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
    const std::uint64_t gap = items[i]->step - items[i - 1]->step, age = 10000 - items[i - 1]->step;
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
}  // namespace cellscope::test
