// Nothing that was computed counts when the state that it ended in is wrong.
#pragma once
#include <vector>

#include "sim/api/mode.h"

namespace cellscope::common {

// All self-checks of a mode, between two steps. Throws RunError that names the first one to fail
// and the step. Those that an experiment explains (SelfCheck::onPurpose) are no failure: they are
// returned.
std::vector<SelfCheck> requireSound(Mode& mode);

}  // namespace cellscope::common
