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

// Whatever builds the lists, in whatever order, on whatever processor or GPU.
TEST_P(VerletBackend, ExactForcesHaveTheSameBitsEverywhere) {
  struct Case {
    const char* name;
    MdState state;
    PairSettings pair;
    std::uint64_t crc;
  };
  PairSettings p;
  p.kernel = PairKernel::exact;
  std::vector<Case> cases;
  for (int potential = 0; potential < kPotentials; ++potential)
    withPotentialEntry(potential, [&](auto entry) {
      if (!entry.kExact) return;
      p.potential = potential;
      cases.push_back({entry.kKey, test::shakenLiquid(864), p, 0});
    });
  cases.push_back({"plane", test::shakenPlane(15, 1.1), p, 0});
  cases.push_back({"mixture", test::shakenLiquid(500), p, 0});
  test::mix(cases.back().state, cases.back().pair);
  cases.push_back({"several images", test::shakenLiquid(32), p, 0});
  for (Case& c : cases)
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      SCOPED_TRACE(std::string(c.name) + ", " + listMethods()[m].key);
      c.pair.method = static_cast<int>(m);
      const auto engine = makeVerlet(exec());
      engine->setPair(c.pair);
      engine->upload(c.state);
      engine->forces({});
      engine->run(0.004, 0, 100, {});
      EXPECT_FALSE(engine->failure());
      const MdState s = engine->download();
      const std::string bytes(reinterpret_cast<const char*>(s.position.data()),
                              s.position.size() * sizeof s.position[0]);
      std::printf("%s %016lx\n", c.name, io::crc64({bytes.data(), bytes.size()}));
    }
}

INSTANTIATE_TEST_SUITE_P(Each, VerletBackend, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
