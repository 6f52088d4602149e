// Frames of a run in an extended XYZ file, or in an H5MD file where its name ends with .h5 or
// .h5md.
#pragma once
#include <memory>
#include <string>

#include "sim/io/h5md.h"
#include "sim/io/output_file.h"
#include "sim/run/session.h"

namespace cellscope {

// Members throw RunError.
class TrajectoryFile {
 public:
  TrajectoryFile(const std::string& path, io::OpenAs how);

  // The current configuration, with the run that it is of. `end`: it is written because the run
  // ends here; a resumed run removes such a frame (sim/run/earlier_part.h).
  void append(Session& session, bool end = false);
  void flushToDisk();
  void close();

 private:
  std::unique_ptr<io::OutputFile> xyz_;
  std::unique_ptr<io::H5mdWriter> h5md_;
};

// One frame in extended XYZ.
void appendFrame(io::OutputFile& out, Session& session, bool end = false);

}  // namespace cellscope
