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

TrajectoryFile::TrajectoryFile(const std::string& path, io::OpenAs how) {
  if (io::isH5mdName(path))
    h5md_ = std::make_unique<io::H5mdWriter>(path, fmt::format("cellscope {}", programVersion()),
                                             how == io::OpenAs::append);
  else
    xyz_ = std::make_unique<io::OutputFile>(path, how);
}

void TrajectoryFile::append(Session& session, bool end) {
  if (xyz_) return appendFrame(*xyz_, session, end);
  h5md_->write(session.mode().configuration(), session.step(),
               {runId(session.log()), end, session.mode().time()});
}

void TrajectoryFile::flushToDisk() { xyz_ ? xyz_->flushToDisk() : h5md_->flushToDisk(); }

void TrajectoryFile::close() { xyz_ ? xyz_->close() : h5md_->close(); }

}  // namespace cellscope
