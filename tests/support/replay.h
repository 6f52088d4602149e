// What the log of a run promises: with it the run can be done again.
#pragma once
#include <memory>

#include "sim/run/session.h"

namespace cellscope::test {

// The run again: from its start, through its edits, until `steps` steps are complete.
inline std::unique_ptr<Session> replay(const RunLog& log, std::uint64_t steps,
                                       const ExecConfig& config,
                                       const ModeFactory& modes = makeMode) {
  auto session = std::make_unique<Session>(log.start, config, modes);
  for (const Edit& edit : log.edits) {
    session->advanceTo(edit.step);
    if (edit.preparing > 0) session->advance(edit.preparing);
    session->set(edit.key, edit.value);
  }
  session->advanceTo(steps);
  return session;
}

}  // namespace cellscope::test
