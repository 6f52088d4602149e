// Neighbour lists of every method against brute force, on each backend.
#include "sim/algo/verlet/tuning.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_states.h"

namespace cellscope {
namespace {

class NeighbourListsBackend : public test::BackendTest {};

TEST_P(NeighbourListsBackend, EveryMethodAgreesWithBruteForce) {
  for (const ListMethod& m : listMethods()) {
    SCOPED_TRACE(m.key);
    test::expectMethodIsRight(exec(), m);
  }
}

TEST_P(NeighbourListsBackend, RoomGrowsOnce) {
  for (const ListMethod& m : listMethods()) {
    SCOPED_TRACE(m.key);
    test::expectRoomGrows(exec(), m);
  }
}

// Where distance checks are not counted other kernels search.
TEST_P(NeighbourListsBackend, SearchesWithoutCountsAreRight) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  for (const ListMethod& m : listMethods()) {
    SCOPED_TRACE(m.key);
    test::expectMethodIsRight(exec(), m, false);
    test::expectRoomGrows(exec(), m, false);
  }
}

// One warp for each cell, and several that share it.
TEST_P(NeighbourListsBackend, EverySearchOfCellsIsRight) {
  for (const int warps : {1, 3, 16}) {
    SCOPED_TRACE(warps);
    verletTuning.warpsPerCell = warps;
    test::expectMethodIsRight(exec(), listMethods()[0]);
    test::expectRoomGrows(exec(), listMethods()[0]);
    verletTuning = {};
  }
}

// The lists are the same, entry by entry: 40,000 particles, from a few to a hundred in a cell.
TEST_P(NeighbourListsBackend, EverySearchOfCellsWritesTheSame) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  const Box box = cubicBox(36);
  std::vector<ParticleRecord> particles = test::scatteredRecords(40000, box, 14);
  for (std::size_t i = 0; i < 400; ++i) {  // crowded: in a corner of the box
    ParticleRecord& p = particles[i];
    p = {0.1f * p.x, 0.1f * p.y, 0.1f * p.z, 0};
  }
  const auto listsOf = [&](int warps, ListSearch search) {
    verletTuning.warpsPerCell = warps;
    const auto lists = buildList(exec(), listMethods()[0], particles, box, test::oneReach(2.5, 0.3),
                                 1, false, search)
                           .neighbours;
    verletTuning = {};
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

INSTANTIATE_TEST_SUITE_P(Each, NeighbourListsBackend, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
