// Linear bounding volume hierarchies: codes, hierarchy, ropes and boxes with known answers, and
// what any tree must be.
#include "sim/exec/cpu_exec.h"
#include "sim/layers/trees.h"
#include "tests/support/tree_checks.h"

namespace cellscope::test {
namespace {

using Ints = std::vector<std::int32_t>;

TEST(Morton, CodesWithKnownAnswers) {
  EXPECT_EQ(mortonCode(1, 0, 0), 4u);
  EXPECT_EQ(mortonCode(0, 1, 0), 2u);
  EXPECT_EQ(mortonCode(0, 0, 1), 1u);
  EXPECT_EQ(mortonCode(1, 2, 3), 29u);
  EXPECT_EQ(mortonCode(5, 9, 1), 1287u);
  EXPECT_EQ(mortonCode(512, 0, 0), 0x20000000u);
  EXPECT_EQ(mortonCode(1023, 0, 0), 0x24924924u);
  EXPECT_EQ(mortonCode(0, 1023, 0), 0x12492492u);
  EXPECT_EQ(mortonCode(0, 0, 1023), 0x9249249u);
  EXPECT_EQ(mortonCode(1023, 1023, 1023), 0x3fffffffu);
  EXPECT_EQ(mortonCode(341, 682, 127), 341170013u);
}

// Bit by bit.
TEST(Morton, CodesInThePlane) {
  for (std::uint32_t k = 0; k < 15; ++k) {
    EXPECT_EQ(mortonCode(1u << k, 0), 2u << 2 * k);
    EXPECT_EQ(mortonCode(0, 1u << k), 1u << 2 * k);
  }
  EXPECT_EQ(mortonCode(32767, 32767), (1u << kMortonBits) - 1);
}

TEST(Morton, PositionsOutsideGoToTheNearestBin) {
  const MortonGrid grid = mortonGrid(cubicBox(8));
  EXPECT_EQ(grid.code({8, -1, 100}), mortonCode(1023, 0, 1023));
  EXPECT_EQ(grid.code({0, 7.9999f, 0.0079f}), mortonCode(0, 1023, 1));
}

// What the parts of BuildHierarchy and MergeBoxes make of leaf codes: one particle per leaf.
struct Example {
  Ints left, right, parent, rope;
};
Example hierarchyOf(const std::vector<std::uint32_t>& codes) {
  const auto leaves = static_cast<std::int32_t>(codes.size());
  exec::CpuExec exec(1);
  const std::vector<TreePart> part{
      {0, static_cast<std::uint32_t>(leaves), 0, static_cast<std::uint32_t>(leaves), 0}};
  const std::size_t nodes = 2 * codes.size() - 1;
  const std::vector<TreeParticle> particles(codes.size());
  Ints parent(nodes), left(nodes), ofSplit(codes.size());
  std::vector<std::uint32_t> arrivals(nodes, 0);
  std::vector<TreeNode> node(nodes);
  exec.forEach("hierarchy", codes.size(),
               BuildHierarchy<std::uint32_t>{part.data(), codes.data(), 1, parent.data(),
                                             left.data(), ofSplit.data()});
  exec.forEach("boxes", codes.size(),
               MergeBoxes{part.data(), particles.data(), parent.data(), left.data(), ofSplit.data(),
                          1, arrivals.data(), node.data()});
  Example e{{}, {}, parent, {}};
  for (const TreeNode& n : node) e.rope.push_back(n.rope());
  for (std::int32_t k = 0; k < leaves - 1; ++k) {
    e.left.push_back(node[static_cast<std::size_t>(k)].leftChild());
    e.right.push_back(e.rope[static_cast<std::size_t>(e.left.back())]);
  }
  return e;
}

// Karras 2012, his figure of eight keys of five bits.
TEST(Lbvh, PublishedExample) {
  const Example e = hierarchyOf({1, 2, 4, 5, 19, 24, 25, 30});
  EXPECT_EQ(e.left, (Ints{3, 7, 9, 1, 11, 6, 12}));
  EXPECT_EQ(e.right, (Ints{4, 8, 10, 2, 5, 14, 13}));
  EXPECT_EQ(e.parent, (Ints{-1, 3, 3, 0, 0, 4, 5, 1, 1, 2, 2, 4, 6, 6, 5}));
  EXPECT_EQ(e.rope, (Ints{-1, 2, 4, 4, -1, -1, 14, 8, 2, 10, 4, 5, 13, 14, -1}));
}

TEST(Lbvh, EqualCodesMakeABalancedTree) {
  const Example e = hierarchyOf(std::vector<std::uint32_t>(8, 77));
  EXPECT_EQ(e.left, (Ints{3, 7, 9, 1, 5, 11, 13}));
  EXPECT_EQ(e.right, (Ints{4, 8, 10, 2, 6, 12, 14}));
  EXPECT_EQ(e.rope[1], 2);
  EXPECT_EQ(e.rope[2], 4);
  EXPECT_EQ(e.rope[3], 4);
  EXPECT_EQ(e.rope[5], 6);
}

TEST(Lbvh, ThreeLeavesOnALine) {
  const Example e = hierarchyOf({1, 2, 4});
  EXPECT_EQ(e.parent, (Ints{-1, 0, 1, 1, 0}));
  EXPECT_EQ(e.left, (Ints{1, 2}));
  EXPECT_EQ(e.right, (Ints{4, 3}));
}

// Eight particles, two of them with one code.
class SpaceExample : public testing::Test {
 protected:
  static constexpr int kBins[8][3] = {{100, 200, 300},    {900, 50, 20},   {100, 200, 300},
                                      {512, 512, 512},    {513, 512, 512}, {10, 1000, 600},
                                      {1023, 1023, 1023}, {101, 200, 300}};
  SpaceExample() {
    for (const auto& b : kBins) {
      const auto at = [&](int axis) { return (static_cast<float>(b[axis]) + 0.5f) / 128.0f; };
      particles.push_back({at(0), at(1), at(2), 0});
    }
    trees = builtTrees(exec, particles, cubicBox(8), 1, 1);
  }

  exec::CpuExec exec{1};
  std::vector<ParticleRecord> particles;
  HostTrees trees;
};

TEST_F(SpaceExample, OrderCodesAndRopes) {
  Ints order, ropes;
  for (const TreeParticle& p : trees.particle) order.push_back(static_cast<std::int32_t>(p.slot));
  for (const TreeNode& n : trees.node) ropes.push_back(n.rope());
  EXPECT_EQ(order, (Ints{0, 2, 7, 5, 1, 3, 4, 6}));
  EXPECT_EQ(trees.key, (std::vector<std::uint64_t>{22710080, 22710080, 22710084, 441261600,
                                                   612446544, 939524096, 939524100, 1073741823}));
  EXPECT_EQ(ropes, (Ints{-1, 9, 10, 4, -1, -1, 14, 8, 9, 10, 4, 5, 13, 14, -1}));
  EXPECT_EQ(trees.parent, (Ints{-1, 2, 3, 0, 0, 4, 5, 1, 1, 2, 3, 4, 6, 6, 5}));
}

TEST_F(SpaceExample, Boxes) {
  const auto expectBox = [&](std::size_t k, Vec3 low, Vec3 high) {
    const TreeNode& n = trees.node[k];
    EXPECT_TRUE(n.low.x == low.x && n.low.y == low.y && n.low.z == low.z) << k;
    EXPECT_TRUE(n.high.x == high.x && n.high.y == high.y && n.high.z == high.z) << k;
  };
  expectBox(0, {0.08203125f, 0.39453125f, 0.16015625f}, {7.99609375f, 7.99609375f, 7.99609375f});
  expectBox(1, {0.78515625f, 1.56640625f, 2.34765625f}, {0.78515625f, 1.56640625f, 2.34765625f});
  expectBox(2, {0.78515625f, 1.56640625f, 2.34765625f}, {0.79296875f, 1.56640625f, 2.34765625f});
  expectBox(3, {0.08203125f, 1.56640625f, 2.34765625f}, {0.79296875f, 7.81640625f, 4.69140625f});
  expectBox(4, {4.00390625f, 0.39453125f, 0.16015625f}, {7.99609375f, 7.99609375f, 7.99609375f});
  expectBox(5, {4.00390625f, 4.00390625f, 4.00390625f}, {7.99609375f, 7.99609375f, 7.99609375f});
  expectBox(6, {4.00390625f, 4.00390625f, 4.00390625f}, {4.01171875f, 4.00390625f, 4.00390625f});
}

TEST(Lbvh, EveryTreeIsWhole) {
  for (const int threads : {1, 4}) {
    exec::CpuExec exec(threads);
    for (const TreeState& s : treeStates())
      for (const std::uint32_t w : {1u, 4u, 8u}) {
        SCOPED_TRACE(s.name + ", " + std::to_string(w) + " per leaf");
        expectTrees(builtTrees(exec, s.particles, s.box, s.types, w), s.particles);
        if (HasFailure()) return;
      }
  }
}

// The boxes of 32 children as they are drawn: type and depth of each in the one array that all
// share.
TEST(Lbvh, BoxesOf32ChildrenAreDrawnByTypeAndDepth) {
  const std::vector<std::uint32_t> counts{33 * 32 + 1, 0, 40};
  const TreeLayout layout(counts, 4);
  std::vector<TileBounds> tile(layout.tileBoxes);
  for (std::size_t k = 0; k < tile.size(); ++k) tile[k].high[0] = static_cast<float>(k);
  TreesView view;
  view.part = layout.parts.data(), view.types = 3;
  view.tile = tile.data(), view.tiles = layout.tileBoxes;
  layers::PackTileBoxes pack{{view}};
  std::map<std::pair<int, int>, int> number;  // by type and depth
  ASSERT_EQ(pack.items(), 34u + 2 + 1 + 2 + 1 + 1);
  for (std::size_t k = 0; k < pack.items(); ++k) {
    EXPECT_TRUE(pack.shows(k));
    const BoxInstance b = pack.instance(k);
    EXPECT_EQ(b.hi[0], static_cast<float>(k));
    EXPECT_EQ((b.type & kHoldsBoxes) != 0, b.level < 2);
    ++number[{b.type & ~kHoldsBoxes, b.level}];
  }
  EXPECT_EQ(number,
            (std::map<std::pair<int, int>, int>{
                {{0, 0}, 1}, {{0, 1}, 2}, {{0, 2}, 34}, {{2, 0}, 1}, {{2, 1}, 1}, {{2, 2}, 2}}));
  pack.of.lowest = 2, pack.of.types = 4;
  std::size_t shown = 0;
  for (std::size_t k = 0; k < pack.items(); ++k) shown += pack.shows(k);
  EXPECT_EQ(shown, 2u);
}

// Arrivals from many threads: the same tree every time.
TEST(Lbvh, SameForAnyNumberOfThreads) {
  const Box box = cubicBox(40);
  const auto particles = treeRecords(20000, box, {0, 1});
  exec::CpuExec one(1), four(4);
  const HostTrees a = builtTrees(one, particles, box, 2);
  for (int k = 0; k < 5; ++k) {
    const HostTrees b = builtTrees(four, particles, box, 2);
    ASSERT_EQ(std::memcmp(a.node.data(), b.node.data(), a.node.size() * sizeof(TreeNode)), 0);
  }
}

}  // namespace
}  // namespace cellscope::test
