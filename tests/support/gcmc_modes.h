// Grand-canonical modes for tests.
#pragma once
#include <fmt/format.h>

#include "tests/support/modes.h"

namespace cellscope::test {

// Started with these settings.
inline std::unique_ptr<Mode> gcmcMode(const ExecConfig& config, const std::string& settings) {
  auto mode = makeMode("gcmc", config);
  restartWith(*mode, settings);
  return mode;
}
// On the CPU.
inline std::unique_ptr<Mode> gcmcMode(const std::string& settings = "", int threads = 1) {
  return gcmcMode({Backend::cpu, threads, 0}, settings);
}

// Of a run that stands still.
inline ViewRequest viewOf(std::vector<std::string> layers, ParticleId picked = -1) {
  return {.layers = std::move(layers), .picked = picked, .still = true};
}

// The order of slots is the method's own.
inline std::vector<ParticleId> sortedIds(const Mode& mode) {
  std::vector<ParticleId> ids = mode.configuration().ids;
  std::sort(ids.begin(), ids.end());
  return ids;
}

inline void expectSameParticles(const Mode& a, const Mode& b) {
  EXPECT_EQ(a.configuration().positions, b.configuration().positions);
  EXPECT_EQ(a.configuration().ids, b.configuration().ids);
}

// Whatever the settings of `other`: with the state of the mode it goes on bit for bit.
inline void expectResumes(Mode& mode, Mode& other, std::uint64_t steps) {
  load(other, saved(mode));
  mode.advance(steps), other.advance(steps);
  EXPECT_EQ(saved(mode), saved(other));
}

}  // namespace cellscope::test
