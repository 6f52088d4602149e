// The hard-disk mode on either backend: the same run bit for bit, checkpoints that change backend,
// and pictures packed where the disks are. The CUDA half is skipped without a GPU.
#include "sim/exec/machine.h"
#include "tests/support/backend_test.h"
#include "tests/support/chart_check.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

class OnBackend : public BackendTest {
 protected:
  std::unique_ptr<HardDisksMode> run(const std::string& s) const {
    return startedOn({GetParam(), 2, 0}, s);
  }
};

// 1.8e9 cells, 177 GB, where no GPU and few hosts have them: refused at once, with the largest
// number of disks that fits, and what was running goes on.
TEST_P(OnBackend, MoreThanFitsIsRefusedWithTheLargestNumberThatDoes) {
  if (GetParam() == Backend::cpu && exec::hostMemory() > 170e9)
    GTEST_SKIP() << "this host has memory enough";
  const auto mode = run("n=1000 packing=0.5 start=square");
  mode->advance(2);
  const std::string before = saved(*mode);
  mode->parameters().at("n").setText("16000000");
  mode->parameters().at("packing").setText("0.0035");
  const std::string said = messageOf<RunError>([&] { mode->restart(); });
  for (const char* words :
       {"out of ", "16000000 disks at this packing need", "the largest 'n' that fits is about"})
    EXPECT_TRUE(contains(said, words)) << said;
  EXPECT_EQ(saved(*mode), before);
  mode->advance(2);
  expectHealthy(*mode);
}

// Start, compression, sweeps, samples and a live change of packing, against one CPU thread.
TEST_P(OnBackend, RunsLikeOneCpuThreadBitForBit) {
  for (const char* start : {"random", "coexistence"}) {
    SCOPED_TRACE(start);
    const std::string settings = std::string("n=2000 packing=0.708 seed=11 start=") + start;
    const auto mode = run(settings);
    const auto oracle = started(settings);
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
  const auto whole = run(settings), phases = run(settings);
  whole->advance(200);
  for (int i = 0; i < 200 * 6; ++i) phases->advancePhase();
  EXPECT_EQ(saved(*whole), saved(*phases));
  for (const ChoiceInfo& choice : mappingChoices()) {
    const std::string& mapping = choice.key;
    const auto other = run(fmt::format("n=500 packing=0.65 mapping={}", mapping));
    other->advance(200);
    EXPECT_EQ(whole->configuration().positions, other->configuration().positions) << mapping;
  }
}

// The mappings race where there is a choice, on sweeps that are part of the run.
TEST_P(OnBackend, MappingRaceEndsInAChart) {
  const std::string settings = "n=2000 packing=0.6";
  const auto mode = run(settings);
  const auto oracle = started(settings);
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
    const auto mode = run(settings);
    const auto oracle = started(settings);
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
  const auto mode = run("n=64 packing=0.2");
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
  const auto mode = run(settings);
  const auto oracle = started(settings);
  ViewRequest view;
  for (const LayerInfo& l : mode->info().layers) view.layers.push_back(l.key);
  view.picked = 77;
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
  const auto mode = run("n=3000 packing=0.5");
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

INSTANTIATE_TEST_SUITE_P(Each, OnBackend, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
