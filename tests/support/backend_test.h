// Tests that run on the CPU and on CUDA; the half on CUDA is skipped where no GPU is usable.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sim/exec/context.h"
#include "sim/exec/memory.h"

namespace cellscope::test {

inline bool usable(Backend where) { return where == Backend::cpu || exec::cudaStatus().usable; }

class BackendTest : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (!isUsable()) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  static bool isUsable() { return usable(GetParam()); }
  static ExecConfig config(int threads = 2) { return {GetParam(), threads, 0}; }
  static exec::Shared exec(int threads = 2) { return exec::makeExec(config(threads)); }
};

// INSTANTIATE_TEST_SUITE_P(Each, Suite, test::kBackends, test::nameOfBackend);
inline const auto kBackends = testing::Values(Backend::cpu, Backend::cuda);
inline std::string nameOfBackend(const testing::TestParamInfo<Backend>& where) {
  return toString(where.param);
}

// With each of some values on each backend:
// INSTANTIATE_TEST_SUITE_P(Each, Suite, testing::Combine(test::kBackends, values),
//                          test::nameOfBoth<Value>);
template <class Value>
class BackendTestOf : public testing::TestWithParam<std::tuple<Backend, Value>> {
 protected:
  void SetUp() override {
    if (!usable(where())) GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  }
  static Backend where() { return std::get<0>(BackendTestOf::GetParam()); }
  static const Value& value() { return std::get<1>(BackendTestOf::GetParam()); }
  static ExecConfig config() { return {where(), 2, 0}; }
};
// Of a value that is a word: "cuda_tree".
template <class Value>
std::string nameOfBoth(const testing::TestParamInfo<std::tuple<Backend, Value>>& where) {
  return toString(std::get<0>(where.param)) + ("_" + std::string(std::get<1>(where.param)));
}

}  // namespace cellscope::test
