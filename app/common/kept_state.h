// Saves a state for which no file was named.
#pragma once
#include <string>

#include "sim/run/session.h"

namespace cellscope::common {

// Folder for temporary files: TMPDIR if it is a folder, otherwise /tmp.
std::string temporaryFolder();

// Saves the session in `folder`, or in the temporary folder if that is not writable, as
// SCENARIO.checkpoint, SCENARIO-2.checkpoint and so on, never over an existing checkpoint. Errors
// are printed. `mark` is appended to SCENARIO. Returns the path, "" if it could not be saved.
std::string keepState(Session& session, const std::string& folder, const std::string& mark = "");

}  // namespace cellscope::common
