// Grand-canonical modes for tests.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/api/mode.h"
#include "tests/support/acting.h"
#include "tests/support/sampled.h"
#include "tests/support/saved.h"

namespace cellscope::test {

// Later values of the same key count.
inline Assignments with(Assignments a, const Assignments& more) {
  a.insert(a.end(), more.begin(), more.end());
  return a;
}

// On the CPU, started with these values; later ones of the same key count.
inline std::unique_ptr<Mode> gcmcMode(Assignments values, const Assignments& more = {},
                                      int threads = 1) {
  values.insert(values.end(), more.begin(), more.end());
  auto mode = makeMode("gcmc", {Backend::cpu, threads, 0});
  for (const auto& [key, value] : values) mode->parameters().at(key).set(value);
  mode->restart();
  return mode;
}

// The chart of that name; empty where there is none.
inline Curve curveOf(const Mode& mode, const std::string& id) {
  for (Curve& c : mode.curves())
    if (c.id == id) return c;
  return {};
}

// The running energy drifts away from that of the particles, and only what is wrong on purpose
// fails a check.
inline void expectDriftOnPurpose(Mode& mode) {
  bool drifts = false;
  for (const SelfCheck& c : mode.selfChecks()) {
    EXPECT_TRUE(c.ok || c.onPurpose) << c.label;
    drifts = drifts || (c.label == "energy drift" && !c.ok);
  }
  EXPECT_TRUE(drifts);
}

}  // namespace cellscope::test
