#include "sim/run/trajectory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/api/version.h"

namespace cellscope {

TrajectoryFile::TrajectoryFile(const std::string& path, io::OpenAs how, const std::string& format)
    : sink_(io::formatToWrite(path, format)
                .create(path, fmt::format("cellscope {}", programVersion()),
                        how == io::OpenAs::append)) {}

void TrajectoryFile::append(Session& session, bool end) {
  const std::string run = runId(session.log());
  sink_->append(session.mode().configuration(),
                {session.step(),
                 session.mode().time(),
                 run,
                 end,
                 {{"Program", fmt::format("cellscope {}", programVersion())},
                  {"Scenario", session.log().start.name},
                  {"Run", run},
                  {"Experiments", fmt::format("{}", fmt::join(session.experiments(), ", "))}}});
}

}  // namespace cellscope
