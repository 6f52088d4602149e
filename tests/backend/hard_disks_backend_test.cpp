// The hard-disk mode on either backend: the same run bit for bit, checkpoints that change backend,
// and pictures packed where the disks are. The CUDA half is skipped without a GPU.
// Two runs side by side: each is bit for bit the run that its settings give alone.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sim/exec/machine.h"
#include "sim/run/rewind.h"
#include "tests/support/backend_test.h"
#include "tests/support/chart_check.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"
#include "tests/support/modes.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(OnBackend);

// 1.8e9 cells, 177 GB, where no GPU and few hosts have them: refused at once, with the largest
// number of disks that fits, and what was running goes on.
TEST_P(OnBackend, MoreThanFitsIsRefusedWithTheLargestNumberThatDoes) {
  if (GetParam() == Backend::cpu && exec::hostMemory() > 170e9)
    GTEST_SKIP() << "this host has memory enough";
  const auto mode = startedOn(config(), "n=1000 packing=0.5 start=square");
  mode->advance(2);
  const std::string before = saved(*mode);
  assign(*mode, "n=16000000 packing=0.0035");
  expectRefusal<RunError>(
      [&] { mode->restart(); },
      {"out of ", "16000000 disks at this packing need", "the largest 'n' that fits is about"});
  EXPECT_EQ(saved(*mode), before);
  mode->advance(2);
  expectHealthy(*mode);
}

// Start, compression, sweeps, samples and a live change of packing, against one CPU thread.
TEST_P(OnBackend, RunsLikeOneCpuThreadBitForBit) {
  for (const char* start : {"random", "coexistence"}) {
    SCOPED_TRACE(start);
    const std::string settings = std::string("n=2000 packing=0.708 seed=11 start=") + start;
    const auto mode = startedOn(config(), settings), oracle = started(settings);
    EXPECT_EQ(saved(*mode), saved(*oracle)) << "after the start";
    for (int i = 0; i < 3; ++i) mode->advance(20), oracle->advance(20);
    EXPECT_EQ(bitsOf(mode->sample()), bitsOf(oracle->sample()));
    EXPECT_EQ(saved(*mode), saved(*oracle)) << "after sweeps and a sample";
    for (const char* packing : {"packing=0.71", "packing=0.6"}) {
      change(*mode, packing), change(*oracle, packing);
      mode->advance(60), oracle->advance(60);
      EXPECT_EQ(saved(*mode), saved(*oracle)) << packing;
    }
    expectHealthy(*mode);
  }
}

TEST_P(OnBackend, PhasesAndMappingsGiveTheSameRun) {
  const std::string settings = "n=500 packing=0.65 mapping=thread_per_cell";
  const auto whole = startedOn(config(), settings), phases = startedOn(config(), settings);
  whole->advance(200);
  for (int i = 0; i < 200 * 6; ++i) phases->advancePhase();
  EXPECT_EQ(saved(*whole), saved(*phases));
  for (const ChoiceInfo& choice : mappingChoices()) {
    const auto other = startedOn(config(), "n=500 packing=0.65 mapping=" + choice.key);
    other->advance(200);
    EXPECT_EQ(whole->configuration().positions, other->configuration().positions) << choice.key;
  }
}

// The mappings race where there is a choice, on sweeps that are part of the run.
TEST_P(OnBackend, MappingRaceEndsInAChart) {
  const std::string settings = "n=2000 packing=0.6";
  const auto mode = startedOn(config(), settings), oracle = started(settings);
  mode->advance(500);
  oracle->advance(500);
  EXPECT_EQ(positionsOf(mode->cells()).xy, positionsOf(oracle->cells()).xy);
  const std::size_t curves = mode->curves().size();
  const Curve race = curveOf(*mode, "mapping_race");
  EXPECT_EQ(!race.id.empty(), GetParam() == Backend::cuda);
  if (race.id.empty()) return;
  EXPECT_EQ(faultOf(race), "");
  EXPECT_GE(race.x.names.size(), 2u);
  EXPECT_TRUE(race.series.at(0).highlight);
  for (const double rate : race.series[0].y) EXPECT_GT(rate, 0);
  change(*mode, "mapping=thread_per_cell");
  mode->advance(1);
  EXPECT_EQ(mode->curves().size(), curves - 1) << "no choice, no race";
}

// The card of a picked disk and the marks of the last moves, in whole sweeps and in single phases.
TEST_P(OnBackend, ShowsTheMovesThatTheCpuShows) {
  for (const MpmcMappingInfo& m : kMpmcMappings) {
    const std::string settings = fmt::format("n=500 packing=0.65 mapping={}", m.key);
    const auto mode = startedOn(config(), settings), oracle = started(settings);
    const ViewRequest view{{layers::kTrials, layers::kTested, layers::kMoves}, "", 17, true};
    mode->frame(view);
    oracle->frame(view);
    for (int k = 0; k < 60; ++k) {
      for (Mode* each : {static_cast<Mode*>(mode.get()), static_cast<Mode*>(oracle.get())})
        k % 4 == 0 ? each->advancePhase() : each->advance(k % 3 + 1);
      const auto a = mode->frame(view), b = oracle->frame(view);
      EXPECT_EQ(a->picked.rows, b->picked.rows);
      ASSERT_EQ(a->layers.size(), b->layers.size());
      for (std::size_t i = 0; i < a->layers.size(); ++i)
        EXPECT_EQ(a->layers[i].count, b->layers[i].count) << a->layers[i].key;
    }
  }
}

TEST_P(OnBackend, CheckpointsChangeTheBackend) {
  const auto cpu = started("n=700 packing=0.6");
  change(*cpu, "packing=0.7");
  cpu->advance(3);
  const auto mode = startedOn(config(), "n=64 packing=0.2");
  load(*mode, saved(*cpu));
  mode->advance(50), cpu->advance(50);
  const auto again = started("n=64 packing=0.2");
  load(*again, saved(*mode));
  EXPECT_EQ(saved(*again), saved(*cpu));
}

std::vector<float> floatsOf(const LayerData& layer) {
  std::vector<float> v(layer.buffer ? layer.buffer->bytes() / sizeof(float) : 0);
  if (layer.buffer) layer.buffer->copyTo(v.data(), MemorySpace::host);
  return v;
}

// Every layer in every colouring equals the picture of the CPU; colours from trigonometric
// functions within 1e-4 (phases modulo a turn).
TEST_P(OnBackend, DrawsWhatTheCpuDraws) {
  const std::string settings = "n=900 packing=0.66";
  const auto mode = startedOn(config(), settings), oracle = started(settings);
  ViewRequest view = wholeView(*mode, 77);
  mode->frame(view), oracle->frame(view);
  mode->advance(7), oracle->advance(7);
  for (const ColouringInfo& colouring : mode->info().colourings) {
    view.colouring = colouring.key;
    const auto a = mode->frame(view), b = oracle->frame(view);
    ASSERT_EQ(a->layers.size(), b->layers.size());
    EXPECT_EQ(a->picked.rows, b->picked.rows);
    for (std::size_t l = 0; l < a->layers.size(); ++l) {
      const std::vector<float> x = floatsOf(a->layers[l]), y = floatsOf(b->layers[l]);
      ASSERT_EQ(x.size(), y.size()) << a->layers[l].key;
      const bool phase = l == 0 && colouring.key == "psi6_phase";
      for (std::size_t i = 0; i < x.size(); ++i) {
        float difference = std::fabs(x[i] - y[i]);
        if (phase && i % 6 == 4 && difference > 6.28f) difference -= 6.2831853f;
        ASSERT_LE(std::fabs(difference), 1e-4f) << a->layers[l].key << " " << colouring.key << i;
      }
    }
  }
}

// A frame is read by another thread while the mode goes on, as in the window; frames that are kept
// do not change.
TEST_P(OnBackend, FramesStayAsTheyWereWhileTheRunGoesOn) {
  const auto mode = startedOn(config(), "n=3000 packing=0.5");
  const ViewRequest view{{layers::kDisks, layers::kCells}, "set", -1};
  const auto kept = mode->frame(view);
  const std::vector<float> then = floatsOf(kept->layers[0]);
  for (int i = 0; i < 20; ++i) {
    const auto frame = mode->frame(view);
    std::vector<float> seen;
    std::thread reader([&] { seen = floatsOf(frame->layers[0]); });
    mode->advance(5);
    reader.join();
    EXPECT_EQ(seen, floatsOf(frame->layers[0]));
  }
  EXPECT_EQ(floatsOf(kept->layers[0]), then);
  EXPECT_EQ(kept->layers[0].buffer->space(),
            GetParam() == Backend::cuda ? MemorySpace::device : MemorySpace::host);
}

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
