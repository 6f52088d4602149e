// Lists built as in the paper of Howard et al. (2016): against brute force, against the fast
// searches, in whole runs, and in the mode. What Howard et al. (2016) vary in the building of
// lists: threads that search for one particle (section 3.1), particles per leaf (3.2), bin width
// and longest-distance shortcut (4.1). None of them changes what the lists hold.
#include <numeric>

#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(PaperLists);

TEST_P(PaperLists, AgreeWithBruteForce) {
  for (const ListMethod& m : listMethods()) {
    if (!m.differs(ListSearch::paper, GetParam())) continue;
    SCOPED_TRACE(m.key);
    for (const bool counted : {false, true}) {
      expectMethodIsRight(exec(), m, counted, ListSearch::paper);
      expectRoomGrows(exec(), m, counted, ListSearch::paper);
    }
    expectMixtures(exec(), m, false, ListSearch::paper);
  }
}

// Neighbour by neighbour: the arithmetic of a distance is the same, but for the translations of
// trees.
TEST_P(PaperLists, HoldWhatTheFastOnesHold) {
  const Box box{3, {24, 26, 28}};
  const ListState s{"", box, scatteredRecords(6000, box, 41, 0.1), twoReaches(2.5, 7, 0.3)};
  for (const ListMethod& m : listMethods()) {
    BuiltList lists[2];
    for (const ListSearch search : {ListSearch::fast, ListSearch::paper}) {
      BuiltList& l = lists[search == ListSearch::paper];
      l = buildList(exec(), m, s.particles, box, s.table, 1, false, search);
      for (auto& one : l.neighbours) std::ranges::sort(one);
    }
    std::size_t differ = 0;
    for (std::size_t i = 0; i < s.particles.size(); ++i)
      differ += lists[0].neighbours[i] != lists[1].neighbours[i];
    EXPECT_LE(differ, std::string(m.key) == "tree" ? 10u : 0u) << m.key;
  }
}

// Line 10 of Algorithm 1 is a test for each particle here and for each type of a cell there: the
// same distances are left to be checked.
TEST_P(PaperLists, CheckTheSameDistances) {
  const Box box = cubicBox(30);
  const std::vector<ParticleRecord> particles = scatteredRecords(6000, box, 42, 0.1);
  const PairTable table = twoReaches(2, 9, 0.2);
  for (const char* key : {"cells", "stencils"}) {
    const ListMethod& m = listMethod(key);
    EXPECT_EQ(buildList(exec(), m, particles, box, table, 1, true, ListSearch::paper).checks,
              buildList(exec(), m, particles, box, table).checks)
        << key;
  }
}

TEST_P(PaperLists, ForcesOverThemAreRightAndTheyStayValid) {
  for (const double buffer : {0.3, 0.0})
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      MdState s = shakenLiquid(500);
      PairSettings p{.method = static_cast<int>(m), .search = ListSearch::paper, .buffer = buffer};
      mix(s, p);
      const auto engine = makeVerlet(exec());
      const std::string name = listMethods()[m].key + std::to_string(buffer);
      expectSums(forcesOf(*engine, s, p), bruteForce(s, p), name);
      engine->run(0.004, 0, 60, {});
      EXPECT_FALSE(engine->failure());
      EXPECT_GT(engine->history().builds, 3u);
      const MdState after = engine->download();
      expectSums(engine->pairSums(), bruteForce(after, p), name + ", later");
    }
}

// Chosen while the run goes on: another builder, the same state, the same forces.
TEST_P(PaperLists, AreChosenWhileItRuns) {
  const auto m = startedMd(config(), "n=500 method=stencils");
  m->advance(5);
  const std::vector<double> before = m->configuration().positions;
  const double energy = sampled(*m, "potential");
  const auto built = [&] {
    return std::ranges::any_of(m->kernelTimes(), [](const KernelTime& k) {
      return k.name.starts_with("list from stencils, as in the paper");
    });
  };
  EXPECT_FALSE(built());
  change(*m, "search=paper");
  EXPECT_EQ(m->configuration().positions, before);
  EXPECT_NEAR(sampled(*m, "potential"), energy, 1e-5);
  m->advance(30);
  EXPECT_TRUE(built());
}

BACKEND_TESTS(PaperOptions);

BuiltList builtWith(const exec::Shared& exec, const char* key, const ListState& s,
                    const ListOptions& options, bool counted = false) {
  return buildList(exec, listMethod(key), s.particles, s.box, s.table, 2, counted, options);
}

ListOptions asPublished(int threads) {
  ListOptions o = ListSearch::paper;
  o.threads = threads;
  return o;
}

// Of all states some that differ in what matters here: cells with none, few and hundreds of
// particles, edges of the box, several types, the plane.
std::vector<ListState> someStates() {
  std::vector<ListState> all = listStates();
  const std::vector<ListState> mixtures = mixtureStates();
  all.insert(all.end(), mixtures.end() - 6, mixtures.end());
  return all;
}

// Entry by entry, and as many distances: so does the number that the builder chooses.
TEST_P(PaperOptions, AnyNumberOfThreadsWritesTheSameLists) {
  for (const char* key : {"cells", "stencils"})
    for (const ListState& s : someStates()) {
      SCOPED_TRACE(std::string(key) + ", " + s.name);
      const BuiltList one = builtWith(exec(), key, s, asPublished(1), true);
      expectList(s, one);
      for (const int threads : {0, 2, 4, 8, 16})
        for (const bool counted : {false, true}) {
          const BuiltList some = builtWith(exec(), key, s, asPublished(threads), counted);
          EXPECT_EQ(some.neighbours, one.neighbours) << threads;
          if (counted) {
            EXPECT_EQ(some.checks, one.checks) << threads;
          }
        }
      if (HasFailure()) return;
    }
}

TEST_P(PaperOptions, RoomGrowsWithSeveralThreads) {
  for (const char* key : {"cells", "stencils"})
    for (const int threads : {2, 16})
      expectRoomGrows(exec(), listMethod(key), false, asPublished(threads));
}

// What the builder took, in words.
TEST_P(PaperOptions, TheNumberOfThreadsIsShown) {
  const Box box = cubicBox(12);
  const ListState s{"", box, scatteredRecords(900, box, 51, 0.2), twoReaches(2, 4, 0.2)};
  for (const char* key : {"cells", "stencils"}) {
    const auto wordsOf = [&](int threads) {
      const auto builder = listMethod(key).make(exec(), asPublished(threads));
      builtBy(*builder, exec(), s, false);
      return builder->words();
    };
    EXPECT_EQ(wordsOf(8), "8 threads each");
    EXPECT_EQ(wordsOf(1), "1 thread each");
    const std::string chosen = wordsOf(0);
    if (GetParam() == Backend::cpu) {
      EXPECT_EQ(chosen, "1 thread each") << "a CPU has nothing to choose";
    }
    int number = 0;
    for (int n = 1; n <= kMostSearchThreads; n *= 2)
      if (chosen.rfind(std::to_string(n) + " thread", 0) == 0) number = n;
    EXPECT_GT(number, 0) << chosen;
  }
}

TEST_P(PaperOptions, AnyBinWidthIsRight) {
  for (const ListSearch how : {ListSearch::fast, ListSearch::paper})
    for (const double width : {0.25, 0.5, 1.7, 3.0}) {
      ListOptions o = how;
      o.binWidth = width, o.threads = 4;
      SCOPED_TRACE(width);
      expectMethodIsRight(exec(), listMethod("stencils"), false, o);
      expectMixtures(exec(), listMethod("stencils"), true, o);
    }
}

// Narrower bins, as the paper has them: more cells, fewer distances.
TEST_P(PaperOptions, TheBinWidthIsThatOfTheCells) {
  const Box box = cubicBox(24);
  const ListState s{"", box, scatteredRecords(9000, box, 52, 0.1), twoReaches(2.7, 6, 0.3)};
  std::uint64_t checks[2] = {};
  for (const double width : {1.0, 0.5}) {
    ListOptions o = ListSearch::paper;
    o.binWidth = width;
    const auto builder = listMethod("stencils").make(exec(), o);
    builder->prepare(inputOf(s));
    const CellGrid grid = builder->cells()->grid;
    EXPECT_EQ(grid.cells[0], width == 1 ? 7 : 15) << "floor(24 / 3.00003), floor(24 / 1.500015)";
    const std::vector<std::uint32_t> counts = builtWith(exec(), "stencils", s, o, true).checks;
    checks[width == 1 ? 0 : 1] = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  EXPECT_LT(checks[1], checks[0]);
}

// Particles in cells that are within reach as a whole are listed unchecked: the same lists, entry
// by entry, and as many checks less as there are such particles.
TEST_P(PaperOptions, TheLongestDistanceSparesChecksAndChangesNoList) {
  for (const int dimension : {2, 3}) {
    const Box box = dimension == 3 ? Box{3, {17, 18, 19}} : Box{2, {60, 44, 1}};
    ListState s{"", box, scatteredRecords(2500, box, 53, 0.1), twoReaches(1.8, 8, 0.2)};
    for (const double width : {0.5, 1.0})
      for (const int threads : {1, 4}) {
        ListOptions plain = asPublished(threads), shortcut = plain;
        plain.binWidth = shortcut.binWidth = width, shortcut.longestDistance = true;
        const BuiltList a = builtWith(exec(), "stencils", s, plain, true),
                        b = builtWith(exec(), "stencils", s, shortcut, true);
        EXPECT_EQ(a.neighbours, b.neighbours);
        EXPECT_EQ(builtWith(exec(), "stencils", s, shortcut).neighbours, a.neighbours)
            << "not counted";
        const CellGrid grid = gridFor(box, width * 2.0, s.particles.size());
        std::size_t spared = 0, expected = 0;
        for (std::size_t i = 0; i < s.particles.size(); ++i) spared += a.checks[i] - b.checks[i];
        const auto apart = [&](float x, float y, int axis) {
          const std::int32_t n = grid.cells[axis], d = grid.along(y, axis) - grid.along(x, axis);
          const std::int32_t o = (d % n + n) % n;
          return o > n / 2 ? o - n : o;
        };
        for (const ParticleRecord& p : s.particles)
          for (const ParticleRecord& q : s.particles) {
            if (&p == &q) continue;
            double most = 0;
            const float from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
            for (int axis = 0; axis < dimension; ++axis) {
              const int cells = std::abs(apart(from[axis], to[axis], axis)) + 1;
              const double far =
                  std::min(cells * box.length[axis] / grid.cells[axis], box.length[axis] / 2);
              most += far * far;
            }
            expected +=
                std::sqrt(most) + 1e-3 <= static_cast<double>(s.table.reach(p.type, q.type));
          }
        EXPECT_GT(expected, 1000u);
        EXPECT_EQ(spared, expected) << "no cell ends within 1e-3 of the reach";
      }
  }
}

// Leaves of as many particles as asked for, four without asking (S1, section 3.2), and the last one
// of each tree with the rest; the lists are right with any.
TEST_P(PaperOptions, LeavesHoldAsManyParticlesAsAskedFor) {
  EXPECT_EQ(ListOptions().perLeaf, 4);
  const exec::Shared shared = exec();  // one stream for builder and list
  const Box box = cubicBox(14);
  const ListState s{"", box, scatteredRecords(1003, box, 54, 0.3), twoReaches(2, 4, 0.2)};
  for (const int w : {1, 2, 3, 4, 5, 8}) {
    SCOPED_TRACE(w);
    ListOptions o = ListSearch::paper;
    o.perLeaf = w;
    const auto made = listMethod("tree").make(shared, o);
    const ListInput in = inputOf(s);
    expectList(s, builtBy(*made, shared, s, false));
    const BuiltTrees& trees = *made->trees();
    EXPECT_EQ(made->bytes(), listMethod("tree").bytesFor(in, o));
    const TreesView v = trees.view();
    std::vector<TreeNode> node(static_cast<std::size_t>(v.nodes));
    exec::copy(Backend::cpu, node.data(), GetParam(), v.node, node.size() * sizeof(TreeNode));
    for (std::size_t t = 0; t < 2; ++t) {
      const std::size_t n = in.countOfType[t], per = static_cast<std::size_t>(w);
      const TreePart& part = trees.layout().parts[t];
      std::vector<std::size_t> held;
      for (std::int32_t k = 0; k < part.nodes(); ++k) {
        const TreeNode& of = node[static_cast<std::size_t>(part.firstNode + k)];
        if (of.isLeaf()) held.push_back(leafRange(of.high.link).count);
      }
      std::vector<std::size_t> expected(n / per, per);
      if (n % per != 0) expected.push_back(n % per);
      EXPECT_EQ(held, expected);
    }
    if (w == 3 || w == 8) expectMixtures(exec(), listMethod("tree"), false, o);
  }
}

}  // namespace
}  // namespace cellscope::test
