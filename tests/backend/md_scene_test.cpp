// What is seen of neighbour lists: trees, walks, cells, lists of the picked particle; on each
// backend.
#include <set>

#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

using layers::CheckPart, layers::WalkPart;

constexpr std::int64_t kParticles = 500;
constexpr double kCutoff = 2.0, kBuffer = 0.3;

// How many items of a layer have each value.
template <class Instance>
std::map<int, int> countedIn(const Frame& frame, const char* layer) {
  std::map<int, int> counts;
  for (const auto& item : drawnItems<Instance>(layerNamed(frame, layer)))
    ++counts[static_cast<int>(item.value)];
  return counts;
}

class MdScene : public BackendTest {
 protected:
  // search: of trees.
  std::unique_ptr<MdMode> mode(const char* method, const char* search = "paper") const {
    auto m = startedMd(
        config(), fmt::format("n={} density=0.6 cutoff={} buffer={} method={}", kParticles, kCutoff,
                              kBuffer, method) +
                      (std::string(method) == "tree" ? std::string(" search=") + search : ""));
    m->advance(30);
    return m;
  }
};

TEST_P(MdScene, DrawsEveryNodeOfTheTree) {
  const auto m = mode("tree");
  const auto boxes = framedItems<BoxInstance>(*m, layers::kTree);
  ASSERT_EQ(boxes.size(), 2u * (kParticles / 4) - 1);
  std::map<int, std::vector<BoxInstance>> byDepth;
  for (const BoxInstance& b : boxes) byDepth[b.level].push_back(b);
  ASSERT_EQ(byDepth[0].size(), 1u);
  ASSERT_EQ(byDepth[1].size(), 2u);
  const BoxInstance root = byDepth[0][0];
  for (const BoxInstance& b : boxes) {
    EXPECT_EQ(b.value, static_cast<float>(b.level));
    for (int a = 0; a < 3; ++a) {
      EXPECT_LE(root.lo[a], b.lo[a]);
      EXPECT_GE(root.hi[a], b.hi[a]);
    }
  }
  // Half of them are leaves, the others hold boxes.
  const auto holds = [](const BoxInstance& b) { return (b.type & kHoldsBoxes) != 0; };
  EXPECT_EQ(std::ranges::count_if(boxes, holds), static_cast<std::ptrdiff_t>(boxes.size() / 2));
  EXPECT_TRUE(holds(root));
}

// With the fast search of a GPU lists come from boxes of 32 children: these are drawn, not the tree
// of the paper.
TEST_P(MdScene, DrawsTheBoxesThatTheFastSearchGoesThrough) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "a CPU walks through the tree of the paper";
  const auto m = mode("tree", "fast");
  const auto frame = framed(*m, layers::kTree);
  std::map<int, std::vector<BoxInstance>> byDepth;
  for (const auto& b : drawnItems<BoxInstance>(layerNamed(*frame, layers::kTree)))
    byDepth[b.level].push_back(b);
  EXPECT_EQ(byDepth[0].size(), 1u);
  EXPECT_EQ(byDepth[1].size(), 1u);
  EXPECT_EQ(byDepth[2].size(), 16u) << "500 / 32, rounded up";
  EXPECT_EQ(byDepth.size(), 3u);
  EXPECT_TRUE(contains(layerNamed(*frame, layers::kTree).scale.title, "32"));
  const auto ropes = framed(*m, layers::kRopes);
  EXPECT_TRUE(contains(layerNamed(*ropes, layers::kRopes).scale.title, "paper"));
}

// The look takes boxes out where they are packed, not only where they are drawn.
TEST_P(MdScene, PacksTheDepthsThatAreShownOnly) {
  const auto m = mode("tree");
  LayerLook look;
  look.lowest = look.highest = 3;
  const auto boxes = framedItems<BoxInstance>(*m, layers::kTree, -1, look);
  ASSERT_GE(boxes.size(), 2u);
  ASSERT_LE(boxes.size(), 8u);
  for (const BoxInstance& b : boxes) {
    EXPECT_EQ(b.level, 3);
    EXPECT_EQ(b.type & kHoldsBoxes, 0) << "what it holds is not shown";
  }
  look.types = 2;  // there is one type only
  EXPECT_TRUE(framedItems<BoxInstance>(*m, layers::kTree, -1, look).empty());
}

// Every node but those on the right edge of the tree has a rope, and it leads to the middle of a
// node.
TEST_P(MdScene, RopesLeadFromNodeToNode) {
  const auto m = mode("tree");
  const auto boxes = framedItems<BoxInstance>(*m, layers::kTree);
  const auto ropes = framedItems<LineInstance>(*m, layers::kRopes);
  using Place = std::array<float, 3>;
  std::set<Place> middles;
  int deepest = 0;
  for (const BoxInstance& b : boxes) {
    middles.insert(
        {0.5f * (b.lo[0] + b.hi[0]), 0.5f * (b.lo[1] + b.hi[1]), 0.5f * (b.lo[2] + b.hi[2])});
    deepest = std::max<int>(deepest, b.level);
  }
  ASSERT_LT(ropes.size(), boxes.size());
  ASSERT_GE(ropes.size(), boxes.size() - static_cast<std::size_t>(deepest) - 1);
  for (const LineInstance& r : ropes) {
    EXPECT_TRUE(middles.count({r.a[0], r.a[1], r.a[2]}));
    EXPECT_TRUE(middles.count({r.b[0], r.b[1], r.b[2]}));
  }
}

TEST_P(MdScene, TheWalkFindsTheListOfThePickedParticle) {
  const auto m = mode("tree");
  for (const ParticleId id : {ParticleId{0}, ParticleId{123}, ParticleId{499}}) {
    const auto frame =
        m->frame({{layers::kWalk, layers::kWalkChecks, layers::kNeighbours}, "", id});
    const auto parts = countedIn<BoxInstance>(*frame, layers::kWalk),
               checks = countedIn<LineInstance>(*frame, layers::kWalkChecks),
               listed = countedIn<LineInstance>(*frame, layers::kNeighbours);
    const auto count = [](const std::map<int, int>& of, auto part) {
      const auto at = of.find(static_cast<int>(part));
      return at == of.end() ? 0 : at->second;
    };
    const int inList = count(checks, CheckPart::inCutoff) + count(checks, CheckPart::inBuffer);
    EXPECT_EQ(inList, count(listed, CheckPart::inCutoff) + count(listed, CheckPart::inBuffer));
    EXPECT_GT(inList, 10);
    EXPECT_GT(count(checks, CheckPart::tooFar), 0);
    EXPECT_GE(count(parts, WalkPart::query), 1);
    const int leaves = count(parts, WalkPart::leaf), opened = count(parts, WalkPart::opened),
              pruned = count(parts, WalkPart::pruned);
    EXPECT_GE(4 * leaves, inList + count(checks, CheckPart::tooFar));
    EXPECT_EQ(cardRow(*frame, "walk"),
              fmt::format("{} nodes: {} opened, {} pruned, {} leaves", leaves + opened + pruned,
                          opened, pruned, leaves));
  }
}

// Lines of the real list against brute force at the present positions: all within the cutoff, and
// nobody else.
TEST_P(MdScene, TheListHoldsAllWithinTheCutoff) {
  for (const char* method : {"cells", "stencils", "tree"}) {
    const auto m = mode(method);
    const Configuration c = m->configuration();
    std::size_t drawn = 0, near = 0;
    for (const auto& l : framedItems<LineInstance>(*m, layers::kNeighbours, 77))
      drawn += l.value == static_cast<float>(CheckPart::inCutoff);
    for (std::size_t i = 0; i < c.ids.size(); ++i)
      near += i != 77 && distanceBetween(c, i, 77) < kCutoff;
    EXPECT_EQ(drawn, near) << method;
  }
}

TEST_P(MdScene, CellsHoldAllParticles) {
  for (const char* method : {"cells", "stencils"}) {
    const auto m = mode(method);
    double sum = 0;
    for (const auto& b : framedItems<BoxInstance>(*m, layers::kCells)) sum += b.value;
    EXPECT_EQ(sum, static_cast<double>(kParticles)) << method;
    const auto searched = framed(*m, layers::kSearched, 77);
    const auto boxes = drawnItems<BoxInstance>(layerNamed(*searched, layers::kSearched));
    EXPECT_EQ(boxes.size(), 27u) << method;
    int own = 0;
    const float* at = searched->picked.position;
    for (const BoxInstance& b : boxes) {
      if (b.value != static_cast<float>(layers::SearchedPart::ownCell)) continue;
      ++own;
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(at[a], b.lo[a] - kBuffer);
        EXPECT_LE(at[a], b.hi[a] + kBuffer);
      }
    }
    EXPECT_EQ(own, 1);
  }
}

TEST_P(MdScene, SaysWhyThereIsNothingToSee) {
  const auto says = [](MdMode& m, const char* layer, const char* words, ParticleId picked = -1) {
    const std::string reason = layerNamed(*framed(m, layer, picked), layer).reason;
    EXPECT_TRUE(contains(reason, words)) << layer << ": " << reason;
    return !reason.empty();
  };
  says(*mode("cells"), layers::kTree, "without trees");
  const auto trees = mode("tree");
  EXPECT_TRUE(says(*trees, layers::kCells, ""));
  says(*trees, layers::kWalk, "click");
  const auto all = mode("all_pairs");
  for (const char* layer :
       {layers::kTree, layers::kRopes, layers::kCurve, layers::kWalk, layers::kSearched})
    says(*all, layer, "without lists", 5);
}

TEST_P(MdScene, ColoursByListAndByDisplacement) {
  const auto m = mode("tree");
  const auto values = [&](const char* colouring) {
    const auto frame = m->frame({{layers::kParticles}, colouring, -1});
    std::vector<double> all;
    for (const auto& p : drawnItems<PointInstance>(layerNamed(*frame, layers::kParticles)))
      all.push_back(static_cast<double>(p.value));
    return all;
  };
  double listed = 0;
  for (const double v : values("neighbours")) listed += v;
  EXPECT_NEAR(listed, sampled(*m, "neighbours") * static_cast<double>(kParticles), 1e-6 * listed);
  double most = 0;
  for (const double v : values("displacement")) most = std::max(most, v);
  EXPECT_GT(most, 0);
  EXPECT_LE(most, 0.5 * kBuffer + 1e-4);
}

TEST_P(MdScene, MeasuresTheTree) {
  const auto m = mode("tree");
  const std::vector<double> now = m->sample();
  const auto value = [&](const char* id) { return now.at(columnOf(m->info().observables, id)); };
  EXPECT_GE(value("tree_depth"), 7);  // 125 leaves
  EXPECT_GT(value("tree_overlap"), 0);
  EXPECT_LT(value("tree_overlap"), 1);
  EXPECT_GT(value("tree_cost"), 1);
  EXPECT_TRUE(std::isnan(sampled(*mode("cells"), "tree_depth")));
}

TEST_P(MdScene, CountsTheChecksOfEveryMethod) {
  const auto m = mode("cells");
  framed(*m, layers::kNeighbours, 77);
  const Curve c = curveOf(*m, "checks");
  ASSERT_EQ(c.x.names.size(), listMethods().size() + 2) << "all pairs and placeholder cells, too";
  const std::vector<double>& checks = c.series.at(0).y;
  EXPECT_EQ(checks.at(0), static_cast<double>(kParticles - 1));
  for (std::size_t k = 1; k < checks.size(); ++k) {
    EXPECT_GE(checks[k], c.series.at(2).y.at(k)) << "all that are listed were checked";
    EXPECT_LT(checks[k], checks[0]);
  }
}

// Between the phases of a build there is no list, and between it and the forces none that belong to
// it: neither is shown, and looking changes nothing.
TEST_P(MdScene, ShowsNothingOfAListThatIsBeingBuilt) {
  for (const char* method : {"cells", "stencils", "tree"})
    for (const double buffer : {0.0, 0.02}) {
      const auto m = mode(method), alone = mode(method);
      for (MdMode* each : {m.get(), alone.get()}) change(*each, fmt::format("buffer={}", buffer));
      int without = 0;
      for (int step = 0; step < 3; ++step) {
        for (const std::uint64_t begin = m->step(); m->step() == begin;) {
          m->advancePhase();
          const auto frame =
              m->frame({{layers::kParticles, layers::kNeighbours, layers::kSearched, layers::kWalk},
                        "energy",
                        77});
          const bool built = cardRow(*frame, "neighbours") != "the list is being built";
          EXPECT_EQ(contains(cardRow(*frame, "potential energy"), "epsilon"), built);
          EXPECT_TRUE(built || m->nextPhase() > 1) << method;
          without += cardRow(*frame, "force") == "comes with the forces";
          m->sample();
        }
        alone->advance(1);
        EXPECT_EQ(m->configuration().positions, alone->configuration().positions) << method;
        EXPECT_TRUE(contains(cardRow(*framed(*m, layers::kParticles, 77), "force"), "("));
      }
      EXPECT_TRUE(without > 0 || buffer == 0) << method << ": particles were sorted";
    }
}

// Particles that come within the cutoff unseen show their energy when the next list is built; with
// checked lists it stays.
TEST_P(MdScene, StaleListsMakeEnergyFromNothing) {
  double change[2] = {}, builds[2] = {};
  for (const bool stale : {false, true}) {
    const auto m = mode("cells");
    restartWith(
        *m, fmt::format("potential=wca temperature=4 dt=0.002 buffer=0.1 stale_lists={}", stale));
    m->advance(100);
    const double start = sampled(*m, "total");
    m->advance(400);
    change[stale] = sampled(*m, "total") - start;
    builds[stale] = sampled(*m, "builds");
  }
  EXPECT_LT(std::abs(change[0]), 0.005);
  EXPECT_GT(change[1], 0.02);
  EXPECT_GT(builds[0], 2.0 / 20);
  EXPECT_NEAR(builds[1], 1.0 / 20, 2.0 / 500);
}

INSTANTIATE_TEST_SUITE_P(Each, MdScene, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
