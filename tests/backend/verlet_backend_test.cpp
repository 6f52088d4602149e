// Molecular dynamics with Verlet lists on each backend: the same bodies on the CPU and on CUDA.
#include "sim/exec/memory.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"

namespace cellscope {
namespace {

class VerletBackend : public test::BackendTest {};

TEST_P(VerletBackend, ForcesEnergiesAndVirialsAreThoseOfBruteForce) {
  test::expectForcesOverLists(exec());
}
TEST_P(VerletBackend, ColloidsAreRight) { test::expectColloids(exec()); }
TEST_P(VerletBackend, EveryNumberOfLanesIsRight) { test::expectEveryNumberOfLanes(exec()); }
TEST_P(VerletBackend, ListsStayValid) { test::expectListsStayValid(exec()); }
TEST_P(VerletBackend, BatchesDoNotMatter) {
  // With 0.1 the state is sorted several times, before some of the lists.
  for (const double buffer : {0.3, 0.1, 0.0}) test::expectBatchesDoNotMatter(exec(), buffer);
}
TEST_P(VerletBackend, RoomIsMadeOnTheWay) { test::expectRoomIsMadeOnTheWay(exec()); }

// A GPU that can decide on new lists by itself gets the steps of a run as one.
TEST_P(VerletBackend, AGpuGetsTheStepsOfARunAtOnce) {
  const exec::Shared shared = exec();
  const auto engine = makeVerlet(shared);
  test::forcesOf(*engine, test::shakenLiquid(864), {});
  engine->run(0.005, 0, 100, {});
  EXPECT_FALSE(engine->failure());
  EXPECT_GT(engine->history().builds, 1u);
  std::uint64_t together = 0;
  for (const KernelTime& k : shared->profile().read())
    if (k.name == "whole steps") together = k.launches;
  EXPECT_EQ(together, GetParam() == Backend::cuda ? 100u : 0u);
}

INSTANTIATE_TEST_SUITE_P(Each, VerletBackend, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
