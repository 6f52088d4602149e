// Lists of mixtures on each backend.
#include "sim/exec/memory.h"
#include "tests/support/mixture_lists.h"
#include "tests/support/tree_walks.h"

namespace cellscope {
namespace {

class MixtureListsBackend : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  exec::Shared exec() const { return exec::makeExec({GetParam(), 2, 0}); }
};

TEST_P(MixtureListsBackend, EveryMethodAgreesWithBruteForce) {
  for (const ListMethod& m : listMethods()) {
    SCOPED_TRACE(m.key);
    test::expectMixtures(exec(), m);
  }
}

// Not a list of one backend is in another order than that of the other.
TEST_P(MixtureListsBackend, ListsAreThoseOfTheCpu) {
  const exec::Shared cpu = exec::makeExec({Backend::cpu, 1});
  const test::ListState s = test::mixtureStates()[7];
  for (const char* key : {"stencils", "tree"}) {
    const ListMethod& m = test::listMethod(key);
    const BuiltList a = buildList(cpu, m, s.particles, s.box, s.table);
    const BuiltList b = buildList(exec(), m, s.particles, s.box, s.table);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < a.neighbours.size(); ++i)
      differ += a.neighbours[i] != b.neighbours[i];
    EXPECT_LE(differ, 2u) << key << ": more than rounding at the reach explains";
  }
}

TEST_P(MixtureListsBackend, RecordedWalksAreWhatTheListWasMadeOf) { test::expectWalks(exec()); }
TEST_P(MixtureListsBackend, TreeStatistics) { test::expectStatistics(exec()); }

INSTANTIATE_TEST_SUITE_P(Each, MixtureListsBackend, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& b) { return b.param == Backend::cpu ? "cpu" : "cuda"; });

}  // namespace
}  // namespace cellscope
