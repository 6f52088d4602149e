// Self-checks before results are used.
#pragma once
#include <vector>

#include "sim/api/mode.h"

namespace cellscope::common {

// Runs all self-checks of a mode, between two steps. Throws RunError naming the first failed check
// and the step. Returned are failures explained by an experiment (SelfCheck::onPurpose), and
// warnings.
std::vector<SelfCheck> requireSound(Mode& mode);

}  // namespace cellscope::common
