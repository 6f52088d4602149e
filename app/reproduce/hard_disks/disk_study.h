// Shared by all studies of hard disks.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reproduce/study.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/run/session.h"

namespace cellscope::reproduce {

// Declarations of options shared by several studies.
ParameterInfo sidesOption(const std::string& more = "");
ParameterInfo packingsOption(const std::string& help = "Packing fractions");
ParameterInfo seedOption();  // the number of the seed

using Settings = std::vector<std::pair<std::string, ParameterValue>>;

// One run of hard disks.
struct DiskRun {
  std::string name;  // of its scenario
  std::int64_t n = 0;
  double packing = 0.698;
  Settings more;  // further parameters
  std::uint64_t sampleEvery = 100;
  std::string configuration;   // file to begin with; brings its own n and packing
  std::int64_t replicate = 1;  // copies of it along every axis
};
std::unique_ptr<Session> newSession(const DiskRun& run, const ExecConfig& exec,
                                    const ModeFactory& modes, WorkReport report = {});

inline HardDisksMode& disksOf(Mode& mode) { return dynamic_cast<HardDisksMode&>(mode); }

}  // namespace cellscope::reproduce
