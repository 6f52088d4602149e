// Neighbour lists of every method against brute force, on each backend.
#include "sim/exec/memory.h"
#include "tests/support/list_states.h"

namespace cellscope {
namespace {

class NeighbourListsBackend : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  exec::Shared exec() const { return exec::makeExec({GetParam(), 2, 0}); }
};

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

INSTANTIATE_TEST_SUITE_P(Each, NeighbourListsBackend, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& b) { return b.param == Backend::cpu ? "cpu" : "cuda"; });

}  // namespace
}  // namespace cellscope
