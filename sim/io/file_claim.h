// A file that one program at a time replaces, as a run does with its checkpoint: a lock on the file
// itself ends when it is renamed, so that a file beside it (its name and ".lock") is locked as long
// as the run lasts. That file is removed at the end; one that a killed program left is taken over.
#pragma once
#include <string>

namespace cellscope::io {

class FileClaim {
 public:
  // Links are followed. Without effect for "", devices and pipes, and where no such file can be
  // created. Throws InputError when another program has the claim.
  explicit FileClaim(const std::string& path);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

 private:
  std::string lockFile_;
  int descriptor_ = -1;
};

// Whether `path` is claimed now: another program, or this one.
bool isClaimed(const std::string& path);

}  // namespace cellscope::io
