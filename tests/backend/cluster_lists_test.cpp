// Lists that clusters share, on each backend. That every pair is listed once is shown for all
// methods together (neighbour_lists_backend_test.cpp), forces of all potentials and mixtures too
// (verlet_backend_test.cpp); here is what is special: clusters that are not full, boxes smaller
// than a cluster and its reach, and steps in which slots have to be sorted for every list.
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"

namespace cellscope::test {
namespace {

class ClusterLists : public BackendTest {
 protected:
  PairSettings settings() const {
    PairSettings p;
    p.method = method_;
    return p;
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
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 32u, 33u, 63u, 65u}) {
    const MdState s = aboutTheCorner(n, 9);
    expectSums(forcesOf(*engine, s, settings()), bruteForce(s, settings()),
               "n " + std::to_string(n));
  }
}

TEST_P(ClusterLists, InBoxesNoWiderThanTheReach) {
  const auto engine = makeVerlet(exec());
  for (const double side : {5.01, 5.3, 5.7, 6.1, 7.0, 8.5}) {
    const MdState s = aboutTheCorner(64, side);
    expectSums(forcesOf(*engine, s, settings()), bruteForce(s, settings()),
               "side " + std::to_string(side));
  }
}

TEST_P(ClusterLists, WithParticlesAtOnePlace) {
  MdState s = aboutTheCorner(40, 9);
  for (std::size_t k = 20; k < 26; ++k) s.position[k] = s.position[19];
  const auto engine = makeVerlet(exec());
  const auto got = forcesOf(*engine, s, settings());
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

}  // namespace
}  // namespace cellscope::test
