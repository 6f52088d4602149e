// Molecular dynamics with Verlet lists on each backend: the same bodies on the CPU and on CUDA.
#include <string>
#include <vector>

#include "sim/exec/memory.h"
#include "sim/io/container.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/nist.h"

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
    std::string name;
    MdState state;
    PairSettings pair;
    std::uint64_t positions;  // crc64 after a hundred steps
  };
  PairSettings p;
  p.kernel = PairKernel::exact;
  const auto law = [&](const char* key) {
    PairSettings own = p;
    own.potential = test::potentialOf(key);
    return own;
  };
  const MdState liquid = test::shakenLiquid(864);
  std::vector<Case> cases{
      {"force_shifted", liquid, law("force_shifted"), 0x68829be9c35913d2},
      {"truncated", liquid, law("truncated"), 0x058195b55b090fb9},
      {"wca", liquid, law("wca"), 0x4317de14c394f36c},
      {"mie", liquid, law("mie"), 0x0cef0495b7573146},
      {"plane", test::shakenPlane(15, 1.1), p, 0xeb47b58ea4c273e6},
      {"several images", test::shakenLiquid(32), p, 0xb82c7cf2bd6c4af7},
      {"mixture", test::shakenLiquid(500), p, 0xc477d4c0d4e8c21a},
  };
  test::mix(cases.back().state, cases.back().pair);
  for (Case& c : cases)
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      SCOPED_TRACE(c.name + ", " + listMethods()[m].key);
      c.pair.method = static_cast<int>(m);
      const auto engine = makeVerlet(exec());
      engine->setPair(c.pair);
      engine->upload(c.state);
      engine->forces({});
      engine->run(0.004, 0, 100, {});
      EXPECT_FALSE(engine->failure());
      const std::vector<Vec3d> at = engine->download().position;
      EXPECT_EQ(io::crc64({reinterpret_cast<const char*>(at.data()), at.size() * sizeof at[0]}),
                c.positions);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, VerletBackend, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
