// Trees built on CUDA.
#include "sim/exec/cuda_exec.cuh"
//
#include "tests/support/tree_checks.h"

namespace cellscope::test {
namespace {

TEST(LbvhCuda, EveryTreeIsWhole) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  exec::CudaExec exec;
  for (const TreeState& s : treeStates())
    for (const std::uint32_t w : {1u, 4u, 8u}) {
      SCOPED_TRACE(s.name + ", " + std::to_string(w) + " per leaf");
      expectTrees(builtTrees(exec, s.particles, s.box, s.types, w), s.particles);
      if (HasFailure()) return;
    }
}

// Long climbs from many blocks, again and again.
TEST(LbvhCuda, LargeTreesAreWhole) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  exec::CudaExec exec;
  const Box box = cubicBox(100);
  const auto particles = treeRecords(300000, box, {0, 0, 0, 1});
  for (int k = 0; k < 3; ++k) expectTrees(builtTrees(exec, particles, box, 2), particles);
}

}  // namespace
}  // namespace cellscope::test
