// The trees of neighbour lists as they are made, phase by phase, on each backend.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/exec/memory.h"
#include "sim/layers/curve.h"
#include "sim/layers/layers.h"
#include "tests/support/md_frames.h"
#include "tests/support/md_modes.h"

namespace cellscope {
namespace {

constexpr std::int64_t kInTree = 500;

class TreeGrowth : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
};

// Codes, order, hierarchy and boxes as they are made, phase by phase.
TEST_P(TreeGrowth, PhaseByPhase) {
  MdMode mode({GetParam(), 2, 0});
  MdMode* const m = &mode;
  test::set(mode, "n", kInTree);
  test::set(mode, "density", 0.6);
  test::set(mode, "cutoff", 2.0);
  test::set(mode, "method", test::word("tree"));
  mode.restart();
  mode.advance(10);
  m->parameters().at("buffer").set(0.0);  // a new list in every step
  m->applyParameters();
  const auto lines = [&](const char* layer) {
    return test::drawnItems<LineInstance>(test::layerNamed(*test::framed(*m, layer), layer));
  };
  const auto boxes = [&] {
    return test::drawnItems<BoxInstance>(
        test::layerNamed(*test::framed(*m, layers::kTree), layers::kTree));
  };
  const auto after = [&](const std::string& phase) {
    const std::vector<std::string>& names = m->info().phases;
    do m->advancePhase();
    while (names.at((static_cast<std::size_t>(m->nextPhase()) + names.size() - 1) % names.size()) !=
           phase);
  };
  constexpr std::size_t kLeaves = kInTree / 4, kNodes = 2 * kLeaves - 1;
  after("codes");
  const auto codes = lines(layers::kCurve);
  ASSERT_EQ(codes.size(), static_cast<std::size_t>(kInTree) - 1);
  for (const LineInstance& l : codes) EXPECT_TRUE(l.value >= 0 && l.value < 1);
  after("sort");
  const auto order = lines(layers::kCurve);
  for (std::size_t k = 1; k < order.size(); ++k) EXPECT_GT(order[k].value, order[k - 1].value);
  after("hierarchy");
  EXPECT_EQ(lines(layers::kHierarchy).size(), kNodes - 1) << "all but the root have a parent";
  EXPECT_NE(
      test::layerNamed(*test::framed(*m, layers::kTree), layers::kTree).reason.find("next phases"),
      std::string::npos);
  const int phase = m->nextPhase();
  m->advancePhase();
  EXPECT_EQ(boxes().size(), kLeaves);
  EXPECT_NE(test::layerNamed(*test::framed(*m, layers::kRopes), layers::kRopes).reason.find("root"),
            std::string::npos);
  EXPECT_TRUE(std::isnan(m->sample().at(columnOf(m->info().observables, "tree_depth"))));
  // One level each time: the inner nodes of a single depth, the next one up.
  std::vector<std::size_t> atOnce;
  std::size_t before = kLeaves;
  while (m->nextPhase() == phase) {
    EXPECT_EQ(test::framed(*m, layers::kTree)->phase, phase);
    const std::string words = m->info().phases.at(static_cast<std::size_t>(phase));
    EXPECT_TRUE(words == "boxes of the leaves" || test::contains(words, "up to depth")) << words;
    m->advancePhase();
    const std::size_t now = boxes().size();
    ASSERT_GT(now, before);
    atOnce.push_back(now - before);
    before = now;
  }
  EXPECT_EQ(m->info().phases.at(static_cast<std::size_t>(phase)),
            "boxes, level by level, and ropes");
  EXPECT_EQ(before, kNodes);
  std::vector<std::size_t> inner(atOnce.size(), 0);  // of each depth, from the deepest up
  std::size_t deepest = 0;
  for (const BoxInstance& b : boxes()) {
    const auto depth = static_cast<std::size_t>(b.level);
    deepest = std::max(deepest, depth);
    if (depth < atOnce.size()) ++inner[atOnce.size() - 1 - depth];
  }
  EXPECT_EQ(deepest, atOnce.size()) << "the deepest leaves lie below the deepest inner nodes";
  EXPECT_EQ(atOnce.back(), 1u) << "the root comes last";
  for (std::size_t k = 0; k < inner.size(); ++k) EXPECT_LE(atOnce[k], inner[k]);
  EXPECT_GT(lines(layers::kRopes).size(), kLeaves);
}

// A step that was begun level by level ends as one that was made at once; so does one that is taken
// up from a checkpoint between two levels.
TEST_P(TreeGrowth, ChangesNothing) {
  const auto made = [&] {
    auto mode = std::make_unique<MdMode>(ExecConfig{GetParam(), 2, 0});
    test::set(*mode, "n", kInTree);
    test::set(*mode, "density", 0.6);
    test::set(*mode, "cutoff", 2.0);
    test::set(*mode, "method", test::word("tree"));
    test::set(*mode, "buffer", 0.0);
    mode->restart();
    return mode;
  };
  const auto whole = made(), grown = made(), resumed = made();
  for (int k = 0; k < 8; ++k) grown->advancePhase();
  EXPECT_EQ(grown->nextPhase(), 5);
  std::stringstream file(test::saved(*grown));
  resumed->load(file);
  EXPECT_EQ(resumed->info().phases.at(5), "boxes, level by level, and ropes");
  for (MdMode* m : {whole.get(), grown.get(), resumed.get()}) m->advance(12);
  EXPECT_EQ(test::saved(*grown), test::saved(*whole));
  EXPECT_EQ(test::saved(*resumed), test::saved(*whole));
}

INSTANTIATE_TEST_SUITE_P(Each, TreeGrowth, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& b) { return b.param == Backend::cpu ? "cpu" : "cuda"; });

}  // namespace
}  // namespace cellscope
