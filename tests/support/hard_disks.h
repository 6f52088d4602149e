// Hard-disk modes set up for tests.
#pragma once

#include "sim/modes/hard_disks/mode.h"
#include "tests/support/modes.h"

namespace cellscope::test {

// Settings as on the command line, "n=300 packing=0.6"; while it runs: change().
inline std::unique_ptr<HardDisksMode> startedOn(const ExecConfig& config,
                                                const std::string& settings) {
  auto mode = std::make_unique<HardDisksMode>(config);
  restartWith(*mode, settings);
  return mode;
}

inline std::unique_ptr<HardDisksMode> started(const std::string& settings, int threads = 1) {
  return startedOn({Backend::cpu, threads, 0}, settings);
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
