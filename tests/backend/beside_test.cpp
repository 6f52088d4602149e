// Two runs side by side: each is bit for bit the run that its settings give alone.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sim/run/rewind.h"
#include "tests/support/backend_test.h"
#include "tests/support/modes.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

Scenario pairOf(bool wrong) {
  Scenario s = scenarioWith(
      "hard_disks", fmt::format("n=300 packing=0.67 n_M=32 start=random leave_cell={}", wrong));
  s.against = {{"leave_cell", false}};
  s.sampleEvery = 1;
  return s;
}

class BesideOn : public BackendTest {
 protected:
  static std::unique_ptr<Session> alone(const Scenario& s) {
    return std::make_unique<Session>(s, config());
  }
  static std::vector<double> valuesOf(const std::vector<ObservableSeries>& all, const char* id) {
    for (const ObservableSeries& s : all)
      if (s.info.id == id) return s.value;
    return {};
  }
  struct Two {
    explicit Two(const Scenario& s) : first(alone(s)) {
      beside.limitTo(64 << 20), rewind.limitTo(64 << 20);
      EXPECT_EQ(keepUp(), "");
    }
    std::string keepUp() { return beside.keepUp(*first, alone); }
    void advance(std::uint64_t steps) {
      first->advance(steps);
      ASSERT_EQ(keepUp(), "");
    }
    std::vector<double> values(const char* id) {
      return valuesOf(beside.state({})->observables, id);
    }
    std::unique_ptr<Session> first;
    Beside beside;
    Rewind rewind;
  };
};

TEST_P(BesideOn, IsTheRunThatItsSettingsGiveAlone) {
  Two two(pairOf(true));
  const auto right = alone(pairOf(false));
  for (const std::uint64_t steps : {1, 7, 40}) {
    two.advance(steps);
    right->advance(steps);
    EXPECT_EQ(two.beside.state({})->frame->step, two.first->step());
  }
  ASSERT_EQ(two.values("pressure").size(), 48u);
  EXPECT_EQ(two.values("pressure"), valuesOf(right->history().series(), "pressure"));
  EXPECT_NE(two.values("pressure"), valuesOf(two.first->history().series(), "pressure"));
  EXPECT_EQ(two.values("overlapping_pairs"), std::vector<double>(48, 0.0));
  two.beside.check();
  for (const SelfCheck& c : two.beside.state({})->frame->checks) EXPECT_TRUE(c.ok) << c.label;
  EXPECT_FALSE(two.beside.state({})->isWrong);
}

TEST_P(BesideOn, GoesPhaseForPhaseAndTakesOtherChanges) {
  Two two(pairOf(true));
  ASSERT_EQ(two.keepUp(), "");
  two.first->advancePhase();
  ASSERT_EQ(two.keepUp(), "");
  EXPECT_EQ(two.beside.state({})->frame->phase, two.first->mode().frame({})->phase);
  two.first->set("d", 0.05);
  two.first->set("leave_cell", false);  // its own business
  two.advance(5);
  const auto right = alone(pairOf(false));
  right->advance(1);
  right->set("d", 0.05);
  right->advance(5);
  EXPECT_EQ(two.values("pressure"), valuesOf(right->history().series(), "pressure"));
}

// A change that rebuilds is undone with the steps after it.
TEST_P(BesideOn, IsUndoneWithTheFirst) {
  Two two(pairOf(true));
  for (int k = 0; k < 5; ++k) two.advance(1);
  two.first->set("packing", 0.66);
  two.advance(5);
  two.first->undo();
  ASSERT_EQ(two.first->step(), 5u);
  ASSERT_EQ(two.keepUp(), "");
  two.advance(10);
  const auto right = alone(pairOf(false));
  right->advance(15);
  EXPECT_EQ(two.values("pressure"), valuesOf(right->history().series(), "pressure"));
}

TEST_P(BesideOn, GoesBackAndBeginsAgainWithTheFirst) {
  Two two(pairOf(true));
  for (int k = 0; k < 6; ++k) {
    ASSERT_EQ(two.keepUp(), "");
    two.rewind.look(*two.first, true);
    two.first->advance(1);
  }
  ASSERT_EQ(two.keepUp(), "");
  ASSERT_TRUE(two.rewind.stepBack(*two.first));
  ASSERT_EQ(two.keepUp(), "");
  EXPECT_EQ(two.beside.state({})->frame->step, 5u);
  two.first->reset();
  ASSERT_EQ(two.keepUp(), "");
  EXPECT_EQ(two.beside.state({})->frame->step, 0u);
  // Back across the reset: there is no such run beside it, and it says so once.
  two.first->undo();
  EXPECT_THAT(two.keepUp(), testing::HasSubstr("step 0"));
  EXPECT_FALSE(two.beside.exists());
  EXPECT_EQ(two.keepUp(), "");
  two.first->reset();
  EXPECT_EQ(two.keepUp(), "");
  EXPECT_TRUE(two.beside.exists());
}

// A touch by hand is repeated once where both go on behind an earlier moment.
TEST_P(BesideOn, RepeatsATouchOnce) {
  const std::string touch = "delete 3 3 0 1.5 1";
  Scenario s = pairOf(false);
  s.against = {{"d", 0.05}};
  Two two(s);
  two.rewind.look(*two.first, true);
  two.advance(3);
  ASSERT_NE(two.first->hand(touch), "");
  ASSERT_EQ(two.keepUp(), "");
  two.rewind.look(*two.first, true);
  two.advance(5);
  ASSERT_TRUE(two.rewind.goTo(*two.first, 2));
  ASSERT_EQ(two.keepUp(), "");
  two.rewind.advance(*two.first, 6);
  ASSERT_EQ(two.first->log().edits.size(), 1u);
  ASSERT_EQ(two.keepUp(), "");
  setParameter(s, "d", 0.05);
  const auto right = alone(s);
  right->advance(3);
  right->hand(touch);
  right->advance(5);
  EXPECT_EQ(two.values("pressure"), valuesOf(right->history().series(), "pressure"));
}

// The memory that it was given holds for all scenarios that are opened.
TEST_P(BesideOn, GoesBackBehindAScenarioWithoutOne) {
  Two two(pairOf(true));
  Scenario single = pairOf(true);
  single.against.clear();
  two.first = alone(single);
  ASSERT_EQ(two.keepUp(), "");
  EXPECT_FALSE(two.beside.exists());
  two.first = alone(pairOf(true));
  ASSERT_EQ(two.keepUp(), "");
  two.rewind.look(*two.first, true);
  two.advance(6);
  ASSERT_TRUE(two.rewind.stepBack(*two.first));
  ASSERT_EQ(two.keepUp(), "");
  EXPECT_EQ(two.beside.state({})->frame->step, 5u);
}

TEST_P(BesideOn, IsPublishedAtTheStepOfTheRun) {
  Runner runner(config(), pairOf(true));
  runner.play(true);
  std::uint64_t seen = 0;
  ASSERT_TRUE(await(runner, [&](const Publication& p) {
    if (p.beside && p.frame) {
      EXPECT_EQ(p.beside->frame->step, p.frame->step);
      ++seen;
    }
    return seen > 20;
  }));
}

INSTANTIATE_TEST_SUITE_P(Each, BesideOn, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
