// Lists built as in the paper of Howard et al. (2016): against brute force, against the fast
// searches, in whole runs, and in the mode.
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

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
      for (auto& one : l.neighbours) std::sort(one.begin(), one.end());
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
      PairSettings p;
      p.method = static_cast<int>(m), p.search = ListSearch::paper, p.buffer = buffer;
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
  const auto mode = startedMd(config(), "n=500 method=stencils");
  MdMode& m = *mode;
  m.advance(5);
  const std::vector<double> before = m.configuration().positions;
  const double energy = sampled(m, "potential");
  const auto built = [&] {
    const std::vector<KernelTime> all = m.kernelTimes();
    return std::any_of(all.begin(), all.end(), [](const KernelTime& k) {
      return k.name.starts_with("list from stencils, as in the paper");
    });
  };
  EXPECT_FALSE(built());
  change(m, "search=paper");
  EXPECT_EQ(m.configuration().positions, before);
  EXPECT_NEAR(sampled(m, "potential"), energy, 1e-5);
  m.advance(30);
  EXPECT_TRUE(built());
}

}  // namespace
}  // namespace cellscope::test
