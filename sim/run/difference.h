// One step from the state of a run under other settings, such as another method: which listed
// pairs, decisions and particles differ after it.
#pragma once
#include <string>

#include "sim/api/mode.h"
#include "sim/api/table.h"
#include "sim/run/session.h"

namespace cellscope {

// Of copies: nothing of the run changes. `settings`: "method=tree", several separated by spaces.
// The note gives the verdict of each comparison, also where nothing differs. Throws InputError for
// settings that are impossible or determine the initial state.
Table differenceTable(const std::string& checkpoint, const std::string& settings,
                      const ExecConfig& config, const ModeFactory& modes);

// As tableOf(), and "against method=tree": as above.
Table tableOfRun(Session& session, const std::string& name, const ExecConfig& config,
                 const ModeFactory& modes);

}  // namespace cellscope
