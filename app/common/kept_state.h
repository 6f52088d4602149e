// The place of a state that nobody gave one.
#pragma once
#include <string>

#include "sim/run/session.h"

namespace cellscope::common {

// Where temporary files go: TMPDIR where it is a folder, /tmp otherwise.
std::string temporaryFolder();

// Saves the session in `folder`, or where that cannot be written among temporary files, as
// SCENARIO.checkpoint or SCENARIO-2.checkpoint and so on: never over another run's checkpoint. What
// is in the way is complained about. `mark` follows SCENARIO. Returns the path, "" when no place
// takes it.
std::string keepState(Session& session, const std::string& folder, const std::string& mark = "");

}  // namespace cellscope::common
