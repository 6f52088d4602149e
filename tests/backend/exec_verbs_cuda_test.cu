// Reduce, scan and sort by key on CUDA.
#include "sim/exec/cuda_exec.cuh"
#include "tests/support/exec_verbs.h"

namespace cellscope {
namespace {

TEST(ExecVerbs, Cuda) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  exec::CudaExec exec;
  test::expectVerbs(exec);
}

// More items than an int counts.
TEST(ExecVerbs, CudaCountsBeyond31Bits) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  exec::CudaExec exec;
  const std::size_t n = (std::size_t{1} << 31) + 9;
  const auto count = [&] {
    return exec.reduce("many", n, std::int64_t{0}, test::One{}, test::Add{});
  };
  if (CUB_VERSION >= 300000)
    EXPECT_EQ(count(), static_cast<std::int64_t>(n));
  else
    EXPECT_THROW(count(), RunError);
}

}  // namespace
}  // namespace cellscope
