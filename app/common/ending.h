// Exit codes of the program.
#pragma once
#include <string>
#include <vector>

#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/run/session.h"

namespace cellscope::common {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;
// Stopped in order before the goal was reached, and can be resumed. As in HTCondor's examples of
// jobs that checkpoint themselves.
inline constexpr int kStopped = 85;
class Stopped : public RunError {
  using RunError::RunError;
};

// Self-checks before results are used.

// Runs all self-checks of a mode, between two steps. Throws RunError naming the first failed check
// and the step. Returned are failures explained by an experiment (SelfCheck::onPurpose), and
// warnings.
std::vector<SelfCheck> requireSound(Mode& mode);

// Saves a state for which no file was named.

// Folder for temporary files: TMPDIR if it is a folder, otherwise /tmp.
std::string temporaryFolder();

// Saves the session in `folder`, or in the temporary folder if that is not writable, as
// SCENARIO.checkpoint, SCENARIO-2.checkpoint and so on, never over an existing checkpoint. Errors
// are printed. `mark` is appended to SCENARIO. Returns the path, "" if it could not be saved.
std::string keepState(Session& session, const std::string& folder, const std::string& mark = "");

}  // namespace cellscope::common
