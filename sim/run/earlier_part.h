// Files that a resumed run goes on with. What lies after the checkpoint in them was written before
// the run was killed; the run computes it again, so it is cut off first. Files name the run they
// are of (runId()): what this run would not compute again is never touched.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "sim/run/session.h"

namespace cellscope {

struct EarlierPart {
  bool found = false;          // a regular file that holds something to go on with
  bool byFrames = false;       // size and kept count frames (H5MD), not bytes
  std::uint64_t size = 0;      // of it
  std::uint64_t kept = 0;      // that stay: complete, and not later than the checkpoint
  std::uint64_t later = 0;     // rows or frames after the checkpoint
  bool torn = false;           // its last row or frame was cut off while it was written
  std::uint64_t last = ~0ull;  // step of the last row or frame that stays; ~0: none
  std::string run;             // runId() where it ends
  // Time series: parameters, and the description of each column, as they were last written.
  std::map<std::string, std::string> parameters, columns;
};

// Look and change nothing. Throw InputError when the file is of another run, goes on after the
// checkpoint with other changes of parameters, or lacks a row or holds a damaged one before the
// checkpoint. What a run writes only because it ends (averages, the last configuration) does not
// stay, so that a run in parts leaves the files of one run.
EarlierPart earlierRows(const std::string& path, const Session& session);  // CsvLog
// TrajectoryFile; format: io::Format::key, "": by the suffix. Only extended XYZ and H5MD go on.
EarlierPart earlierFrames(const std::string& path, const Session& session,
                          const std::string& format = "");

// Takes away what does not stay. On failure throws RunError and the file is as it was.
void cutLater(const std::string& path, const EarlierPart& part);

}  // namespace cellscope
