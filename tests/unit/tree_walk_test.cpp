// Recorded walks through the trees, and their statistics.
#include "tests/support/tree_walks.h"

namespace cellscope {
namespace {

TEST(TreeWalk, IsWhatTheListWasMadeOf) { test::expectWalks(exec::makeExec({Backend::cpu, 2})); }
TEST(TreeStatistics, AreThoseOfARecursion) {
  test::expectStatistics(exec::makeExec({Backend::cpu, 2}));
}

}  // namespace
}  // namespace cellscope
