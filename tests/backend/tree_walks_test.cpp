// Recorded walks and statistics of trees of neighbour lists against what they must be, on each
// backend.
#include <map>
#include <set>

#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/lbvh/walk.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_states.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(TreeWalks);

// A builder of trees and the records of the walk of `slot` after a build.
struct Walked {
  std::unique_ptr<ListBuilder> builder;
  BuiltList list;
  Recorded walk;
  std::vector<TreeNode> node;
  TreeLayout layout;
  std::vector<TreeStatistics> statistics;
};

Walked walked(const exec::Shared& exec, const ListState& s, std::uint32_t slot) {
  Walked w;
  w.builder = listMethod("tree").make(exec, ListSearch::fast);
  w.list = builtBy(*w.builder, exec, s, true);
  BuiltTrees& trees = *w.builder->trees();
  Recorder recorder(exec->where(), 1 << 16);
  trees.walk(slot, recorder.writer());
  w.statistics = trees.statistics();  // waits
  w.walk = recorder.read();
  w.layout = trees.layout();
  const TreesView view = trees.view();
  w.node.resize(static_cast<std::size_t>(view.nodes));
  exec::copy(Backend::cpu, w.node.data(), exec->where(), view.node,
             w.node.size() * sizeof(TreeNode));
  return w;
}

// One image: from the root along left children and ropes to the end, checks behind their leaf.
void expectImage(const Walked& w, const std::vector<Record>& image) {
  const Record& head = image.front();
  ASSERT_EQ(head.phase, static_cast<std::uint16_t>(TreeRecord::image));
  if (head.outcome == 0) {
    EXPECT_EQ(image.size(), 1u);
    return;
  }
  std::int32_t at = w.layout.parts[head.stage].root();
  std::uint32_t checksLeft = 0;
  for (std::size_t k = 1; k < image.size(); ++k) {
    const Record& r = image[k];
    EXPECT_EQ(r.order, k);
    if (r.phase == static_cast<std::uint16_t>(TreeRecord::check)) {
      ASSERT_GT(checksLeft--, 0u) << "a check without a leaf";
      continue;
    }
    ASSERT_EQ(static_cast<std::int32_t>(r.subject), at);
    const TreeNode& n = w.node[r.subject];
    const QueryBox box{{head.number[0], head.number[1], head.number[2]},
                       {head.number[3], head.number[4], head.number[5]}};
    const auto outcome = static_cast<TreeNodeOutcome>(r.outcome);
    EXPECT_EQ(outcome == TreeNodeOutcome::pruned, !box.overlaps(n));
    EXPECT_TRUE(outcome == TreeNodeOutcome::pruned ||
                (outcome == TreeNodeOutcome::leaf) == n.isLeaf());
    checksLeft = outcome == TreeNodeOutcome::leaf ? leafRange(n.high.link).count : 0;
    at = outcome == TreeNodeOutcome::opened ? n.leftChild() : n.rope();
  }
  EXPECT_EQ(at, kNoNode) << "the walk did not end";
}

// What was recorded is what the list was made of.
void expectWalk(const exec::Shared& exec, const ListState& s, std::uint32_t slot) {
  const Walked w = walked(exec, s, slot);
  ASSERT_EQ(w.walk.lost, 0u);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Record>> images;
  std::set<std::uint32_t> listed;
  std::size_t checks = 0;
  for (const Record& r : w.walk.records) {
    images[{r.stage, r.group}].push_back(r);
    if (r.phase != static_cast<std::uint16_t>(TreeRecord::check)) continue;
    ++checks;
    if (r.outcome == 0) continue;
    EXPECT_TRUE(listed.insert(static_cast<std::uint32_t>(r.object)).second);
  }
  EXPECT_EQ(checks, w.list.checks[slot]) << s.name;
  const auto& neighbours = w.list.neighbours[slot];
  EXPECT_EQ(listed, std::set<std::uint32_t>(neighbours.begin(), neighbours.end())) << s.name;
  std::size_t trees = 0;
  for (std::size_t t = 0; t < w.layout.parts.size(); ++t)
    trees += w.layout.parts[t].leaves > 0 &&
             s.table.reach(s.particles[slot].type, static_cast<std::uint32_t>(t)) > 0;
  EXPECT_EQ(images.size(), trees * (s.box.dimension == 3 ? 27 : 9)) << s.name;
  for (const auto& [key, image] : images) expectImage(w, image);
}

TEST_P(TreeWalks, AreWhatTheListWasMadeOf) {
  for (const ListState& s : mixtureStates())
    for (const std::size_t slot : {std::size_t{0}, s.particles.size() / 2}) {
      expectWalk(exec(), s, static_cast<std::uint32_t>(slot));
      if (HasFailure()) return;
    }
}

// By recursion from the root.
struct TreeSumsByHand {
  double surface = 0, overlap = 0;
  int parents = 0, deepest = 0, leaves = 0, leafDepth = 0;
};
double extent(float low, float high) { return std::max(0.0, double{high} - double{low}); }
void addByHand(const Walked& w, const Box& box, std::int32_t node, int depth,
               TreeSumsByHand& sums) {
  const TreeNode& n = w.node[static_cast<std::size_t>(node)];
  const double x = extent(n.low.x, n.high.x), y = extent(n.low.y, n.high.y),
               z = extent(n.low.z, n.high.z);
  const double surface = box.dimension == 3 ? 2 * (x * y + x * z + y * z) : 2 * (x + y);
  const double volume = box.dimension == 3 ? x * y * z : x * y;
  sums.deepest = std::max(sums.deepest, depth);
  sums.surface += surface * (n.isLeaf() ? leafRange(n.high.link).count : 1);
  if (n.isLeaf()) {
    sums.leafDepth += depth;
    ++sums.leaves;
    return;
  }
  const TreeNode& a = w.node[static_cast<std::size_t>(n.leftChild())];
  const TreeNode& b = w.node[static_cast<std::size_t>(a.rope())];
  const auto shared = [](float al, float ah, float bl, float bh) {
    return extent(std::max(al, bl), std::min(ah, bh));
  };
  if (volume > 0) {
    ++sums.parents;
    sums.overlap += shared(a.low.x, a.high.x, b.low.x, b.high.x) *
                    shared(a.low.y, a.high.y, b.low.y, b.high.y) *
                    (box.dimension == 3 ? shared(a.low.z, a.high.z, b.low.z, b.high.z) : 1.0) /
                    volume;
  }
  addByHand(w, box, n.leftChild(), depth + 1, sums);
  addByHand(w, box, a.rope(), depth + 1, sums);
}

TEST_P(TreeWalks, StatisticsAreThoseByHand) {
  for (const ListState& s : mixtureStates()) {
    const Walked w = walked(exec(), s, 0);
    ASSERT_EQ(w.statistics.size(), w.layout.parts.size());
    for (std::size_t t = 0; t < w.statistics.size(); ++t) {
      const TreeStatistics& found = w.statistics[t];
      EXPECT_EQ(found.nodes, w.layout.parts[t].nodes());
      if (w.layout.parts[t].leaves < 2) continue;
      TreeSumsByHand sums;
      addByHand(w, s.box, w.layout.parts[t].root(), 0, sums);
      const TreeNode& r = w.node[static_cast<std::size_t>(w.layout.parts[t].root())];
      const double x = extent(r.low.x, r.high.x), y = extent(r.low.y, r.high.y),
                   z = extent(r.low.z, r.high.z);
      const double surface = s.box.dimension == 3 ? 2 * (x * y + x * z + y * z) : 2 * (x + y);
      EXPECT_EQ(found.depth, sums.deepest) << s.name;
      EXPECT_EQ(found.leaves, sums.leaves);
      EXPECT_DOUBLE_EQ(found.meanDepth, double(sums.leafDepth) / sums.leaves);
      EXPECT_NEAR(found.surfaceCost, sums.surface / surface, 1e-9 * found.surfaceCost) << s.name;
      EXPECT_NEAR(found.meanOverlap * sums.parents, sums.overlap, 1e-9 * (1 + sums.overlap));
    }
  }
}

}  // namespace
}  // namespace cellscope::test
