// Neighbour lists of every method, of one species and of mixtures, against brute force, on each
// backend.
#include "sim/algo/neighbours/search_threads.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_states.h"

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

// The lists are the same, entry by entry: 40,000 particles, from a few to a hundred in a cell.
TEST_P(NeighbourListsBackend, EverySearchOfCellsWritesTheSame) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  const Box box = cubicBox(36);
  std::vector<ParticleRecord> particles = scatteredRecords(40000, box, 14);
  for (std::size_t i = 0; i < 400; ++i) {  // crowded: in a corner of the box
    ParticleRecord& p = particles[i];
    p = {0.1f * p.x, 0.1f * p.y, 0.1f * p.z, 0};
  }
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
  for (std::size_t i = 0; i < 400; ++i) {
    ParticleRecord& p = s.particles[i];
    p = {0.1f * p.x, 0.1f * p.y, 0.1f * p.z, p.type};
  }
  for (const char* key : {"stencils", "tree"})
    EXPECT_LE(listsThatDiffer(exec(), key, s, false, std::string(key) == "stencils"), 20u) << key;
  // Clusters have a margin for rounding: what is within the reach is in both. Those of one type are
  // searched by products.
  EXPECT_EQ(listsThatDiffer(exec(), "clusters", s, false, true), 0u);
  for (ParticleRecord& p : s.particles) p.type = 0;
  s.table = oneReach(2.5, 0.3);
  EXPECT_EQ(listsThatDiffer(exec(), "clusters", s, false, true), 0u);
}

}  // namespace
}  // namespace cellscope::test
