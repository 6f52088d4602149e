// Neighbour lists of every method, of one species and of mixtures, against brute force, on each
// backend. Lists that clusters share, on each backend. That every pair is listed once is shown for
// all methods together (above), forces of all potentials and mixtures too
// (verlet_backend_test.cpp); here is what is special: clusters that are not full, boxes smaller
// than a cluster and its reach, and steps in which slots have to be sorted for every list. Every
// builder's own lists, cells and trees through the file and the check, on each backend.
#include <cstdio>

#include "sim/algo/list_check/check.h"
#include "sim/algo/neighbours/team_search.h"
#include "sim/io/files.h"
#include "sim/io/list_file.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(NeighbourListsBackend);

// On a GPU other kernels search where distance checks are not counted.
TEST_P(NeighbourListsBackend, EveryMethodAgreesWithBruteForce) {
  for (const ListMethod& m : listMethods())
    for (const bool counted : {true, false}) {
      if (!counted && GetParam() == Backend::cpu) continue;  // there is one search only
      SCOPED_TRACE(m.key);
      expectMethodIsRight(exec(), m, counted);
      expectRoomGrows(exec(), m, counted);
      expectMixtures(exec(), m, counted);
    }
}

// One warp for each cell, and several that share it.
TEST_P(NeighbourListsBackend, EverySearchOfCellsIsRight) {
  for (const unsigned warps : {1u, 3u, 16u}) {
    SCOPED_TRACE(warps);
    listWarpsPerCell = warps;
    expectMethodIsRight(exec(), listMethods()[0]);
    expectRoomGrows(exec(), listMethods()[0]);
    listWarpsPerCell = 0;
  }
}

// The first 400 in a corner of the box.
void crowdACorner(std::vector<ParticleRecord>& particles) {
  for (std::size_t i = 0; i < 400; ++i) {
    ParticleRecord& p = particles[i];
    p = {0.1f * p.x, 0.1f * p.y, 0.1f * p.z, p.type};
  }
}

// The lists are the same, entry by entry: 40,000 particles, from a few to a hundred in a cell.
TEST_P(NeighbourListsBackend, EverySearchOfCellsWritesTheSame) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  const Box box = cubicBox(36);
  std::vector<ParticleRecord> particles = scatteredRecords(40000, box, 14);
  crowdACorner(particles);
  const auto listsOf = [&](unsigned warps, ListSearch search) {
    listWarpsPerCell = warps;
    const auto lists =
        buildList(exec(), listMethods()[0], particles, box, oneReach(2.5, 0.3), 1, false, search)
            .neighbours;
    listWarpsPerCell = 0;
    return lists;
  };
  const auto expected = listsOf(0, ListSearch::paper);
  for (const int warps : {1, 3, 8}) {
    const auto lists = listsOf(warps, ListSearch::fast);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) differ += lists[i] != expected[i];
    EXPECT_EQ(differ, 0u) << warps;
  }
}

// Lists that differ from those of one thread on the CPU; sorted: only in what they hold.
std::size_t listsThatDiffer(const exec::Shared& exec, const char* key, const ListState& s,
                            bool counted, bool sorted) {
  const exec::Shared cpu = exec::makeExec({Backend::cpu, 1});
  const ListMethod& m = listMethod(key);
  BuiltList a = buildList(cpu, m, s.particles, s.box, s.table);
  BuiltList b = buildList(exec, m, s.particles, s.box, s.table, 1, counted);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.neighbours.size(); ++i) {
    if (sorted)
      for (auto* list : {&a.neighbours[i], &b.neighbours[i]}) std::sort(list->begin(), list->end());
    differ += a.neighbours[i] != b.neighbours[i];
  }
  return differ;
}

// Not a list of one backend is in another order than that of the other, but those of stencils that
// warps search.
TEST_P(NeighbourListsBackend, ListsAreThoseOfTheCpu) {
  const std::vector<ListState> states = mixtureStates();
  for (const std::size_t at : {std::size_t{7}, std::size_t{9}})
    for (const char* key : {"stencils", "tree"})
      for (const bool counted : {true, false}) {
        const bool sorted = !counted && std::string(key) == "stencils";
        EXPECT_LE(listsThatDiffer(exec(), key, states[at], counted, sorted), 2u)
            << key << ": more than rounding at the reach explains";
      }
}

// 40,000 particles, some of them crowded in a corner: groups of every extent, cells with hundreds.
TEST_P(NeighbourListsBackend, LargeListsAreThoseOfTheCpu) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  const Box box{3, {40, 44, 48}};
  ListState s{"large", box, scatteredRecords(40000, box, 35, 0.1), twoReaches(2.5, 9, 0.3)};
  crowdACorner(s.particles);
  for (const char* key : {"stencils", "tree"})
    EXPECT_LE(listsThatDiffer(exec(), key, s, false, std::string(key) == "stencils"), 20u) << key;
  // Clusters have a margin for rounding: what is within the reach is in both. Those of one type are
  // searched by products.
  EXPECT_EQ(listsThatDiffer(exec(), "clusters", s, false, true), 0u);
  for (ParticleRecord& p : s.particles) p.type = 0;
  s.table = oneReach(2.5, 0.3);
  EXPECT_EQ(listsThatDiffer(exec(), "clusters", s, false, true), 0u);
}

class ClusterLists : public BackendTest {
 protected:
  PairSettings settings() const { return {.method = method_}; }
  void expectRightFrom(MdEngine& engine, const MdState& s, const std::string& name) const {
    expectSums(forcesOf(engine, s, settings()), bruteForce(s, settings()), name);
  }
  const int method_ = static_cast<int>(&listMethod("clusters") - listMethods().data());
};

// n particles of a shaken cube about the corner of a box.
MdState aboutTheCorner(std::size_t n, double side) {
  MdState s{cubicBox(side), {}, {}};
  for (int k = 0; s.position.size() < n; ++k) {
    const double x = k % 4, y = k / 4 % 4, z = k / 16;
    s.position.push_back(s.box.wrap({1.1 * x - 2 + 0.05 * std::sin(7.0 * k),
                                     1.1 * y - 1.5 + 0.05 * std::sin(5.0 * k),
                                     1.1 * z - 1 + 0.05 * std::sin(3.0 * k)}));
    s.velocity.push_back({0, 0, 0});
  }
  return s;
}

TEST_P(ClusterLists, WithClustersThatAreNotFull) {
  const auto engine = makeVerlet(exec());
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 32u, 33u, 63u, 65u})
    expectRightFrom(*engine, aboutTheCorner(n, 9), "n " + std::to_string(n));
}

TEST_P(ClusterLists, InBoxesNoWiderThanTheReach) {
  const auto engine = makeVerlet(exec());
  for (const double side : {5.01, 5.3, 5.7, 6.1, 7.0, 8.5})
    expectRightFrom(*engine, aboutTheCorner(64, side), "side " + std::to_string(side));
}

TEST_P(ClusterLists, WithParticlesAtOnePlace) {
  MdState s = aboutTheCorner(40, 9);
  for (std::size_t k = 20; k < 26; ++k) s.position[k] = s.position[19];
  const auto got = forcesOf(*makeVerlet(exec()), s, settings());
  for (const PairSums& sums : got)
    EXPECT_TRUE(std::isfinite(sums.fx) && std::isfinite(sums.fy) && std::isfinite(sums.fz));
}

// Two clusters search together where there are many: the last one may be alone.
TEST_P(ClusterLists, TheLastOfAnOddNumberOfManyIsRight) {
  for (const std::size_t cells : {20u, 21u}) {  // 8000 clusters, and 9261
    const std::size_t n = 4 * cells * cells * cells;
    const MdState s = shakenLiquid(n);
    PairSettings one = settings(), many = settings();
    one.search = ListSearch::paper;
    const auto engine = makeVerlet(exec());
    // All particles have much the same scale.
    const BruteForce right{forcesOf(*engine, s, one),
                           {n, bruteForce(shakenLiquid(500), one).scale[0]}};
    expectSums(forcesOf(*engine, s, many), right, "n " + std::to_string(n));
  }
}

TEST_P(ClusterLists, EveryNumberOfLanesIsRight) { expectEveryNumberOfLanes(exec(), method_); }
TEST_P(ClusterLists, StayValid) { expectListsStayValid(exec(), method_); }
TEST_P(ClusterLists, BatchesDoNotMatter) {
  for (const double buffer : {0.3, 0.0}) expectBatchesDoNotMatter(exec(), buffer, method_);
}
TEST_P(ClusterLists, RoomIsMadeOnTheWay) { expectRoomIsMadeOnTheWay(exec(), method_); }

// From cells to clusters and back while it runs; and a state whose slots lie in another order.
TEST_P(ClusterLists, MethodsChangeWhileItRuns) {
  PairSettings cells;
  const auto engine = makeVerlet(exec()), other = makeVerlet(exec());
  forcesOf(*engine, shakenLiquid(864), cells);
  std::uint64_t step = 0;
  for (const PairSettings& p : {settings(), cells, settings()}) {
    engine->run(0.004, step, 25, {});
    step += 25;
    engine->setPair(p);
    engine->forces();
    const MdState s = engine->download();
    expectSums(engine->pairSums(), bruteForce(s, p), "after a change");
    other->setPair(settings());
    other->upload(s);
    other->forces();
    expectSums(other->pairSums(), bruteForce(s, p), "from another order");
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ClusterLists, kBackends, nameOfBackend);

// All that changes how a builder searches.
std::vector<std::string> searches(const std::string& method) {
  std::vector<std::string> all{"search=fast", "search=paper", "buffer=0"};
  if (method == "tree")
    for (const char* size : {"1", "7"}) all.push_back(std::string("particles_per_leaf=") + size);
  if (method == "stencils")
    for (const char* other : {"", " search=paper longest_distance=true"})
      all.push_back(std::string("bin_width=0.5") + other);
  if (method == "cells" || method == "stencils") all.push_back("search=paper search_threads=4");
  return all;
}

class ListRoundTrips : public BackendTest {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  static PairList listsOf(const std::string& settings) {
    const auto mode = startedMd(config(), settings);
    mode->advance(3);
    return mode->neighbourLists();
  }
  const std::string path_ = testing::TempDir() + "lists.npz";
};

TEST_P(ListRoundTrips, EveryBuilderIsFoundRight) {
  for (const ListMethod& method : listMethods())
    for (const std::string& search : searches(method.key))
      for (const char* dimension : {"2", "3"})
        for (const char* system : {"pure", "binary"}) {
          const std::string name = fmt::format("dimension={} system={} n=500 method={} {}",
                                               dimension, system, method.key, search);
          const PairList list = listsOf(name);
          ASSERT_GT(list.i.size(), 500u) << name;
          io::replaceFile(path_, io::pairListArchive(list));
          const PairList back = io::readPairList(path_).list;
          EXPECT_EQ(back.position, list.position);
          EXPECT_EQ(back.i, list.i);
          EXPECT_EQ(back.tree.rope, list.tree.rope);
          EXPECT_EQ(back.cells.start, list.cells.start);
          const list_check::Report r = list_check::check(back);
          EXPECT_EQ(r.wrongPairs(), 0u) << name;
          for (const list_check::Fault& f : r.faults) ADD_FAILURE() << name << f.rule << f.first;
          EXPECT_EQ(back.cells.any(),
                    std::string(method.key) == "cells" || std::string(method.key) == "stencils")
              << name;
          EXPECT_EQ(back.tree.size() > 0, std::string(method.key) == "tree") << name;
        }
}

// A box of less than two cutoffs, whose lists hold nearest images alone.
TEST_P(ListRoundTrips, SmallBoxesHoldNearestImages) {
  for (const ListMethod& method : listMethods())
    EXPECT_TRUE(
        list_check::check(listsOf(fmt::format("n=32 density=0.5 method={}", method.key))).isRight())
        << method.key;
}

INSTANTIATE_TEST_SUITE_P(Each, ListRoundTrips, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
