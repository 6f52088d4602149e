#include "sim/run/trajectory.h"

#include <fmt/format.h>

#include "sim/api/version.h"
#include "sim/io/xyz.h"

namespace cellscope {

void appendFrame(io::OutputFile& out, Session& session, bool end) {
  io::XyzNotes notes = {{"Program", fmt::format("cellscope {}", programVersion())},
                        {"Scenario", session.log().start.name},
                        {"Run", runId(session.log())},
                        {"Experiments", fmt::format("{}", fmt::join(session.experiments(), ", "))}};
  if (end) notes.emplace_back("End", "T");
  io::writeXyzFrame(out, session.mode().configuration(), session.step(), notes);
}

}  // namespace cellscope
