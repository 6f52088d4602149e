// Hard-disk modes set up for tests.
#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/modes/hard_disks/mode.h"
#include "tests/support/modes.h"

namespace cellscope::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<HardDisksMode> startedOn(const ExecConfig& config,
                                                const Settings& settings) {
  auto mode = std::make_unique<HardDisksMode>(config);
  for (const auto& [key, value] : settings) mode->parameters().at(key).setText(value);
  mode->restart();
  return mode;
}

inline std::unique_ptr<HardDisksMode> started(const Settings& settings, int threads = 1) {
  return startedOn({Backend::cpu, threads, 0}, settings);
}

inline void change(Mode& mode, const std::string& key, const std::string& value) {
  mode.parameters().at(key).setText(value);
  mode.applyParameters();
}

// Until nothing is prepared any more, after a change while it runs: "packing=0.4 d=0.1".
inline void settle(Mode& mode, const std::string& settings = "") {
  if (!settings.empty()) change(mode, settings);
  while (mode.preparation()) mode.advance(1);
}

inline double packingOf(const Mode& mode) {
  return static_cast<double>(mode.particleCount()) * M_PI / (4 * mode.configuration().box.volume());
}

}  // namespace cellscope::test
