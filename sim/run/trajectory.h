// Frames of a run in a file of any format that holds several (sim/io/formats/format.h).
#pragma once
#include <memory>
#include <string>

#include "sim/io/formats/format.h"
#include "sim/io/output_file.h"
#include "sim/run/session.h"

namespace cellscope {

// Members throw RunError.
class TrajectoryFile {
 public:
  // format: io::Format::key; "": by the suffix.
  TrajectoryFile(const std::string& path, io::OpenAs how, const std::string& format = "");

  // The current configuration, with the run that it is of. `end`: it is written because the run
  // ends here; a resumed run removes such a frame (sim/run/earlier_part.h).
  void append(Session& session, bool end = false);
  void flushToDisk() { sink_->flushToDisk(); }
  void close() { sink_->close(); }

 private:
  std::unique_ptr<io::FrameSink> sink_;
};

}  // namespace cellscope
