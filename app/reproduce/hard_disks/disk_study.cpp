#include "app/reproduce/hard_disks/disk_study.h"

namespace cellscope::reproduce {

ParameterInfo sidesOption(const std::string& more) {
  return {.key = "sides",
          .min = 8,
          .max = 8192,
          .help = "Disks per side of the box: N is the square" + more};
}

ParameterInfo packingsOption(const std::string& help) {
  return {.key = "packings", .min = 0.01, .max = 0.9, .help = help};
}

ParameterInfo seedOption() {
  return {.key = "seeds", .min = 1, .max = 1000, .help = "Seed of the random numbers"};
}

std::unique_ptr<Session> newSession(const DiskRun& run, const ExecConfig& exec,
                                    const ModeFactory& modes, WorkReport report) {
  Scenario s;
  s.name = run.name;
  s.mode = "hard_disks";
  s.sampleEvery = run.sampleEvery;
  s.configuration = run.configuration;
  s.replicate = run.replicate;
  s.parameters = {{"n", run.n}, {"packing", run.packing}};
  for (const auto& [key, value] : run.more) setParameter(s, key, value);
  return std::make_unique<Session>(s, exec, modes, std::move(report));
}

}  // namespace cellscope::reproduce
