// Lists of mixtures on each backend.
#include <algorithm>
#include <string>

#include "tests/support/backend_test.h"
#include "tests/support/mixture_lists.h"
#include "tests/support/tree_walks.h"

namespace cellscope {
namespace {

class MixtureListsBackend : public test::BackendTest {};

TEST_P(MixtureListsBackend, EveryMethodAgreesWithBruteForce) {
  for (const ListMethod& m : listMethods()) {
    SCOPED_TRACE(m.key);
    test::expectMixtures(exec(), m);
  }
}

TEST_P(MixtureListsBackend, SearchesWithoutCountsAgreeWithBruteForce) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  for (const ListMethod& m : listMethods()) {
    SCOPED_TRACE(m.key);
    test::expectMixtures(exec(), m, false);
  }
}

// Lists that differ from those of one thread on the CPU; sorted: only in what they hold.
std::size_t listsThatDiffer(const exec::Shared& exec, const char* key, const test::ListState& s,
                            bool counted, bool sorted) {
  const exec::Shared cpu = exec::makeExec({Backend::cpu, 1});
  const ListMethod& m = test::listMethod(key);
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
TEST_P(MixtureListsBackend, ListsAreThoseOfTheCpu) {
  const std::vector<test::ListState> states = test::mixtureStates();
  for (const std::size_t at : {std::size_t{7}, std::size_t{9}})
    for (const char* key : {"stencils", "tree"})
      for (const bool counted : {true, false}) {
        const bool sorted = !counted && std::string(key) == "stencils";
        EXPECT_LE(listsThatDiffer(exec(), key, states[at], counted, sorted), 2u)
            << key << ": more than rounding at the reach explains";
      }
}

// 40,000 particles, some of them crowded in a corner: groups of every extent, cells with hundreds.
TEST_P(MixtureListsBackend, LargeListsAreThoseOfTheCpu) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "there is one search only";
  const Box box{3, {40, 44, 48}};
  test::ListState s{"large", box, test::scatteredRecords(40000, box, 35, 0.1),
                    test::twoReaches(2.5, 9, 0.3)};
  for (std::size_t i = 0; i < 400; ++i) {
    ParticleRecord& p = s.particles[i];
    p = {0.1f * p.x, 0.1f * p.y, 0.1f * p.z, p.type};
  }
  for (const char* key : {"stencils", "tree"})
    EXPECT_LE(listsThatDiffer(exec(), key, s, false, std::string(key) == "stencils"), 20u) << key;
}

TEST_P(MixtureListsBackend, RecordedWalksAreWhatTheListWasMadeOf) { test::expectWalks(exec()); }
TEST_P(MixtureListsBackend, TreeStatistics) { test::expectStatistics(exec()); }

INSTANTIATE_TEST_SUITE_P(Each, MixtureListsBackend, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
