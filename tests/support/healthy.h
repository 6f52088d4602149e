// Self-checks of modes.
#pragma once
#include <gtest/gtest.h>

#include "sim/api/mode.h"

namespace cellscope::test {

inline void expectHealthy(Mode& mode) {
  for (const SelfCheck& c : mode.selfChecks()) EXPECT_TRUE(c.ok) << c.label << ": " << c.detail;
}

}  // namespace cellscope::test
