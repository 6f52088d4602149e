// Tests that run on the CPU and on CUDA; the half on CUDA is skipped where no GPU is usable.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "sim/exec/context.h"
#include "sim/exec/memory.h"

namespace cellscope::test {

class BackendTest : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (!isUsable()) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  static bool isUsable() { return GetParam() == Backend::cpu || exec::cudaStatus().usable; }
  static ExecConfig config(int threads = 2) { return {GetParam(), threads, 0}; }
  static exec::Shared exec(int threads = 2) { return exec::makeExec(config(threads)); }
};

// INSTANTIATE_TEST_SUITE_P(Each, Suite, test::kBackends, test::nameOfBackend);
inline const auto kBackends = testing::Values(Backend::cpu, Backend::cuda);
inline std::string nameOfBackend(const testing::TestParamInfo<Backend>& where) {
  return toString(where.param);
}

}  // namespace cellscope::test
