// Tests that run on the CPU and on CUDA, on one domain or several; the half on CUDA is skipped
// where no GPU is usable.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
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

// A suite of nothing more, on each backend.
#define BACKEND_TESTS(Suite)                            \
  class Suite : public cellscope::test::BackendTest {}; \
  INSTANTIATE_TEST_SUITE_P(Each, Suite, cellscope::test::kBackends, cellscope::test::nameOfBackend)

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

// --- Where several domains can be. ---

struct DomainPlace {
  const char* name;
  ExecConfig config;
};
inline const std::vector<DomainPlace> kDomainPlaces = {
    {"Cpu", {.backend = Backend::cpu, .threads = 1}},
    {"CpuFiveThreads", {.backend = Backend::cpu, .threads = 5}},
    {"CpuThroughHost", {.backend = Backend::cpu, .threads = 1, .throughHost = true}},
    {"Cuda", {.backend = Backend::cuda}},
    {"CudaThroughHost", {.backend = Backend::cuda, .throughHost = true}},
    {"CudaAllDevices", {.backend = Backend::cuda, .devices = 0}},
    {"CudaAllDevicesThroughHost", {.backend = Backend::cuda, .devices = 0, .throughHost = true}}};

// A place with this number of domains; devices = 0: all that there are, if more than one.
class InDomains : public testing::TestWithParam<DomainPlace> {
 protected:
  void SetUp() override {
    config_ = GetParam().config;
    if (config_.backend == Backend::cpu) return;
    const exec::CudaStatus& cuda = exec::cudaStatus();
    if (!cuda.usable) GTEST_SKIP() << cuda.reason;
    const auto devices = static_cast<int>(cuda.devices.size());
    if (config_.devices == 0 && devices == 1) GTEST_SKIP() << "there is one CUDA device";
    all_ = config_.devices == 0 ? devices : 1;
  }
  ExecConfig on(int domains) const {
    ExecConfig config = config_;
    config.domains = domains;
    config.devices = std::min(domains, all_);
    return config;
  }

  ExecConfig config_;
  int all_ = 1;
};

inline std::string nameOfPlace(const testing::TestParamInfo<DomainPlace>& info) {
  return info.param.name;
}

}  // namespace cellscope::test
