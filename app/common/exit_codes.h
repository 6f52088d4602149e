// Exit codes of the program.
#pragma once

#include "sim/base/error.h"

namespace cellscope::common {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;
// Stopped in order before the goal was reached, and can be resumed. As in HTCondor's examples of
// jobs that checkpoint themselves.
inline constexpr int kStopped = 85;
class Stopped : public RunError {
  using RunError::RunError;
};

}  // namespace cellscope::common
