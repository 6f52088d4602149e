// What the log of a run promises: with it the run can be done again.
#pragma once
#include <gtest/gtest.h>

#include "sim/run/session.h"
#include "tests/support/fake_mode.h"

namespace cellscope::test {

// The run again: from its start, through its edits, until `steps` steps are complete.
inline std::unique_ptr<Session> replay(const RunLog& log, std::uint64_t steps,
                                       const ExecConfig& config,
                                       const ModeFactory& modes = makeMode) {
  auto session = std::make_unique<Session>(log.start, config, modes);
  for (auto edit = log.edits.begin(); edit != log.edits.end();) {
    session->advanceTo(edit->step);
    if (edit->preparing > 0) session->advance(edit->preparing);
    Settings together = {{edit->key, edit->value}};
    while (++edit != log.edits.end() && edit->together)
      together.emplace_back(edit->key, edit->value);
    session->set(together);
  }
  session->advanceTo(steps);
  return session;
}

inline std::uint64_t hashOf(const Session& s) { return hashOf(s.mode().configuration()); }

// Of the fake mode's run without edits.
inline std::uint64_t hashOfFake(std::uint64_t steps, const Scenario& scenario = fakeScenario()) {
  Session session(scenario, {}, fakeModes);
  session.advance(steps);
  return hashOf(session);
}

// Its log says how it came here.
inline void expectReplayed(const Session& s, const ModeFactory& modes = fakeModes) {
  EXPECT_EQ(hashOf(s), hashOf(*replay(s.log(), s.step(), {}, modes)));
}

}  // namespace cellscope::test
