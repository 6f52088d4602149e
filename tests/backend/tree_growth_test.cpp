// The trees of neighbour lists as they are made, phase by phase, on each backend.
#include <cmath>

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
               test::layerNamed(*test::framed(*m, layers::kTree), layers::kTree))
        .size();
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
  after("boxes of the leaves");
  EXPECT_EQ(boxes(), kLeaves);
  EXPECT_NE(test::layerNamed(*test::framed(*m, layers::kRopes), layers::kRopes).reason.find("root"),
            std::string::npos);
  EXPECT_TRUE(std::isnan(m->sample().at(columnOf(m->info().observables, "tree_depth"))));
  after("boxes of the lower levels");
  const std::size_t lower = boxes();
  EXPECT_GT(lower, kLeaves);
  after("boxes of the upper levels");
  const std::size_t upper = boxes();
  EXPECT_GT(upper, lower);
  EXPECT_LT(upper, kNodes);
  after("boxes up to the root, and ropes");
  EXPECT_EQ(boxes(), kNodes);
  EXPECT_GT(lines(layers::kRopes).size(), kLeaves);
}

INSTANTIATE_TEST_SUITE_P(Each, TreeGrowth, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& b) { return b.param == Backend::cpu ? "cpu" : "cuda"; });

}  // namespace
}  // namespace cellscope
