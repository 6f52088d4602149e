// The trees of neighbour lists as they are made, phase by phase, on each backend. Recorded walks
// and statistics of trees of neighbour lists against what they must be, on each backend.
#include <set>

#include "render/view.h"
#include "sim/algo/lbvh/query.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_states.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

constexpr std::int64_t kInTree = 500;

BACKEND_TESTS(TreeGrowth);

std::unique_ptr<MdMode> grownMd(const ExecConfig& config, const std::string& method) {
  return startedMd(config, fmt::format("n={} density=0.6 cutoff=2 method={}", kInTree, method));
}

// Codes, order, hierarchy and boxes as they are made, phase by phase.
TEST_P(TreeGrowth, PhaseByPhase) {
  const auto m = grownMd(config(), "tree");
  m->advance(10);
  change(*m, "buffer=0");  // a new list in every step
  const auto lines = [&](const char* layer) { return framedItems<LineInstance>(*m, layer); };
  const auto boxes = [&] { return framedItems<BoxInstance>(*m, layers::kTree); };
  const auto reason = [&](const char* layer) {
    return layerNamed(*framed(*m, layer), layer).reason;
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
  EXPECT_TRUE(contains(reason(layers::kTree), "next phases"));
  const int phase = m->nextPhase();
  m->advancePhase();
  EXPECT_EQ(boxes().size(), kLeaves);
  EXPECT_TRUE(contains(reason(layers::kRopes), "root"));
  EXPECT_TRUE(std::isnan(sampled(*m, "tree_depth")));
  // One level each time: the inner nodes of a single depth, the next one up.
  std::vector<std::size_t> atOnce;
  std::size_t before = kLeaves;
  while (m->nextPhase() == phase) {
    EXPECT_EQ(framed(*m, layers::kTree)->phase, phase);
    const std::string words = m->info().phases.at(static_cast<std::size_t>(phase));
    EXPECT_TRUE(words == "boxes of the leaves" || contains(words, "up to depth")) << words;
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
  const std::string method = "tree buffer=0";
  const auto whole = grownMd(config(), method), inPhases = grownMd(config(), method),
             resumed = grownMd(config(), method);
  for (int k = 0; k < 8; ++k) inPhases->advancePhase();
  EXPECT_EQ(inPhases->nextPhase(), 5);
  load(*resumed, saved(*inPhases));
  EXPECT_EQ(resumed->info().phases.at(5), "boxes, level by level, and ropes");
  for (MdMode* m : {whole.get(), inPhases.get(), resumed.get()}) m->advance(12);
  EXPECT_EQ(saved(*inPhases), saved(*whole));
  EXPECT_EQ(saved(*resumed), saved(*whole));
}

// What is drawn of the particles, wherever each is stored.
std::vector<std::array<float, 4>> drawnParticles(const Frame& frame) {
  std::vector<std::array<float, 4>> all;
  for (const PointInstance& p : drawnItems<PointInstance>(layerNamed(frame, layers::kParticles)))
    all.push_back({p.x, p.y, p.z, p.diameter});
  std::sort(all.begin(), all.end());
  return all;
}

// While a list is built, phase by phase, no particle vanishes or moves, and none changes its look
// as a layer that explains has nothing to show for a phase: it says that this is coming.
TEST_P(TreeGrowth, NothingFlashes) {
  const std::vector<std::string> of[] = {{layers::kTree},
                                         {layers::kRopes},
                                         {layers::kHierarchy, layers::kCurve},
                                         {layers::kWalk, layers::kWalkChecks},
                                         {layers::kNeighbours},
                                         {layers::kSearched}};
  for (const char* method : {"tree", "cells", "clusters"})
    for (const std::vector<std::string>& layers : of) {
      const auto mode = grownMd(config(), std::string(method) + " buffer=0");
      MdMode& m = *mode;
      m.advance(6);
      ViewRequest view{.layers = layers};
      view.layers.push_back(layers::kParticles);
      view.picked = 77;
      const bool quiet =
          render::isQuiet(layerNamed(*m.frame(view), layers::kParticles), m.frame(view)->layers);
      std::size_t coming = 0;
      for (int step = 0; step < 3; ++step) {
        m.advancePhase();
        const auto before = drawnParticles(*m.frame(view));
        ASSERT_EQ(before.size(), static_cast<std::size_t>(kInTree));
        for (const std::uint64_t now = m.step(); m.step() == now; m.advancePhase()) {
          const std::string at = fmt::format("{} {} phase {}", method, layers[0], m.nextPhase());
          const auto frame = m.frame(view);
          EXPECT_EQ(drawnParticles(*frame), before) << at;
          for (const LayerData& l : frame->layers) {
            if (l.key == layers::kParticles) {
              EXPECT_EQ(render::isQuiet(l, frame->layers), quiet) << at;
            }
            coming += l.coming;
            EXPECT_TRUE(!l.coming || !l.reason.empty()) << at;
          }
        }
      }
      const bool walk = layers[0] == layers::kWalk, trees = std::string(method) == "tree";
      if (layers[0] == layers::kTree || walk) {
        EXPECT_EQ(coming > 0, trees) << layers[0];
      }
    }
}

// Sliders of levels end where trees and walks do.
TEST_P(TreeGrowth, LevelsEndWhereTheyDo) {
  // The tree that a CPU always has.
  const auto mode =
      startedMd(config(), fmt::format("n={} cutoff=1.5 method=tree search=paper", kInTree));
  MdMode& m = *mode;
  m.advance(2);
  const double depth = sampled(m, "tree_depth");
  for (const char* key : {layers::kTree, layers::kHierarchy}) {
    LayerLook look;
    look.lowest = look.highest = 3;
    const int last = layerNamed(*framed(m, key, -1, look), key).lastLevel;
    EXPECT_EQ(last, depth) << key;
    for (int level = 1; level <= last + 1; ++level) {
      look.lowest = look.highest = level;
      const auto shown = framed(m, key, -1, look);
      const LayerData& layer = layerNamed(*shown, key);
      const std::size_t drawn = layer.primitive == Primitive::boxes
                                    ? drawnItems<BoxInstance>(layer).size()
                                    : drawnItems<LineInstance>(layer).size();
      EXPECT_EQ(drawn > 0, level <= last) << key << ' ' << level;
    }
  }
  std::vector<int> last;
  for (const ParticleId picked : {7, 77, 444}) {
    const auto frame = framed(m, layers::kWalk, picked);
    const LayerData& walk = layerNamed(*frame, layers::kWalk);
    std::set<int> steps;
    for (const BoxInstance& b : drawnItems<BoxInstance>(walk)) steps.insert(b.level);
    EXPECT_EQ(static_cast<int>(steps.size()), walk.lastLevel + 1) << "each step has a node";
    EXPECT_EQ(*steps.rbegin(), walk.lastLevel);
    last.push_back(walk.lastLevel);
  }
  EXPECT_FALSE(last[0] == last[1] && last[1] == last[2]) << "walks differ";
  EXPECT_LT(layerNamed(*framed(m, layers::kWalk), layers::kWalk).lastLevel, 0);
}

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
