// Where several domains can be.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/exec/memory.h"

namespace cellscope::test {

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
    {"CudaAllDevicesThroughHost", {.backend = Backend::cuda, .devices = 0, .throughHost = true}},
};

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
